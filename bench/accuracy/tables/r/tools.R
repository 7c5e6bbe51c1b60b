# What tables are read, prepared and written with. Needs `folder` and `described`.

# `file` where the data set has another name than its file.
known <- function(package, name, file = name) {
  if (!requireNamespace(package, quietly = TRUE)) {
    message(package, ": not on this machine, its tables are left out")
    return(NULL)
  }
  home <- new.env()
  suppressWarnings(data(list = file, package = package, envir = home))
  # Some packages have their data among what they export.
  as.data.frame(if (exists(name, home, inherits = FALSE)) home[[name]] else getExportedValue(package, name))
}

# About two deviations to either side, as round numbers: what a user would say of a column without having counted.
typical <- function(values) {
  ends <- quantile(values, c(0.025, 0.975), names = FALSE, type = 1)
  if (ends[1] == ends[2]) ends <- range(values)
  step <- 10^floor(log10(max(ends[2] - ends[1], 1e-12))) / 2
  low <- floor(ends[1] / step) * step
  c(low, max(ceiling(ends[2] / step) * step, low + step))
}

keep <- function(name, table, task, target, features, slope = NULL, categories = character(0)) {
  if (is.null(table)) return(invisible())
  missing <- setdiff(c(task, target, features), names(table))
  if (length(missing) > 0) stop(name, ": no column ", paste(missing, collapse = ", "))
  table <- table[, c(task, target, features)]
  names(table) <- gsub("[^A-Za-z0-9_]", "_", names(table))
  table <- table[complete.cases(table), ]
  table <- table[order(as.character(table[[1]])), ]
  groups <- split(seq_len(nrow(table)), as.character(table[[1]]))
  train <- sapply(1:5, function(k) {
    own <- integer(nrow(table))
    for (rows in groups) own[if (length(rows) == 1) rows else sample(rows, ceiling(length(rows) / 2))] <- 1
    own
  })
  colnames(train) <- paste0("s", 1:5)
  numbers <- Filter(function(column) {
    is.numeric(table[[column]]) && !(column %in% categories) && length(unique(table[[column]])) > 2
  }, names(table)[-1])
  ranges <- lapply(setNames(numbers, numbers), function(column) typical(table[[column]]))
  write.csv(table, gzfile(file.path(folder, paste0(name, ".csv.gz"))), row.names = FALSE, na = "")
  write.csv(train, gzfile(file.path(folder, "splits", paste0(name, ".csv.gz"))), row.names = FALSE)
  written <- sapply(numbers, function(column) sprintf('"%s": [%.10g, %.10g]', column, ranges[[column]][1], ranges[[column]][2]))
  described[[name]] <<- sprintf('"%s": { "target": "%s", "slope": %s, "ranges": { %s } }', name, names(table)[2],
    if (is.null(slope)) "null" else sprintf('"%s"', gsub("[^A-Za-z0-9_]", "_", slope)), paste(written, collapse = ", "))
  invisible()
}

with_logs <- function(table, columns) {
  if (is.null(table)) return(NULL)
  for (column in columns) table[[paste0("l", column)]] <- log(table[[column]])
  table
}
of_some <- function(table, column, count) {
  if (is.null(table)) return(NULL)
  table[table[[column]] %in% sample(unique(table[[column]]), count), ]
}
named <- function(table, column, positive) {
  if (is.null(table)) return(NULL)
  table[[column]] <- ifelse(table[[column]] == positive, "yes", "no")
  table
}
