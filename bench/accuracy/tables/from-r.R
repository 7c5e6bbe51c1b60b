# Tables of grouped rows from R's packages, each with five splits within tasks and the typical ranges of its columns.
# Nothing of them is in the project: this writes them into a folder, from the packages that are on the machine.
#
#   Rscript from-r.R FOLDER

folder <- commandArgs(TRUE)[1]
set.seed(42)
described <- list()

known <- function(package, name) {
  if (!requireNamespace(package, quietly = TRUE)) {
    message(package, ": not on this machine, its tables are left out")
    return(NULL)
  }
  home <- new.env()
  data(list = name, package = package, envir = home)
  as.data.frame(home[[name]])
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

keep("exam", known("mlmRev", "Exam"), "school", "normexam", c("schgend", "schavg", "vr", "intake", "standLRT", "sex", "type"), "standLRT")
keep("hsb", known("mlmRev", "Hsb82"), "school", "mAch", c("minrty", "sx", "ses", "sector", "meanses"), "ses")
keep("growth", of_some(known("mlmRev", "egsingle"), "childid", 600), "childid", "math",
  c("year", "retained", "female", "black", "hispanic", "size", "lowinc", "mobility"), "year")
keep("chemistry", of_some(known("mlmRev", "Chem97"), "school", 500), "school", "score", c("gender", "age", "gcsescore"), "gcsescore")
keep("early", known("mlmRev", "Early"), "id", "cog", c("age", "trt"), "age")
keep("language", known("nlme", "bdf"), "schoolNR", "langPOST",
  c("sex", "IQ.verb", "IQ.perf", "ses", "repeatgr", "aritPRET", "langPRET", "denomina", "schoolSES", "Minority"), "IQ.verb",
  c("denomina", "repeatgr"))
keep("milk", known("nlme", "Milk"), "Cow", "protein", c("Time", "Diet"), "Time")
keep("classes", known("MASS", "nlschools"), "class", "lang", c("IQ", "GS", "SES", "COMB"), "IQ", "COMB")
keep("crime", known("plm", "Crime"), "county", "lcrmrte",
  c("year", "lprbarr", "lprbconv", "lavgsen", "lpolpc", "ldensity", "ltaxpc", "region", "smsa", "pctmin", "lpctymle"), "year",
  c("region", "smsa"))
keep("firms", with_logs(known("plm", "EmplUK"), c("emp", "wage", "capital", "output")), "firm", "lemp",
  c("year", "sector", "lwage", "lcapital", "loutput"), "lwage", "sector")
keep("states", with_logs(known("plm", "Produc"), c("gsp", "pcap", "pc", "emp")), "state", "lgsp",
  c("year", "region", "lpcap", "lpc", "lemp", "unemp"), "lemp", "region")
keep("hours", known("plm", "LaborSupply"), "id", "lnhr", c("lnwg", "kids", "age", "disab", "year"), "lnwg")
keep("houses", known("plm", "Hedonic"), "townid", "mv",
  c("crim", "zn", "indus", "chas", "nox", "rm", "age", "dis", "rad", "tax", "ptratio", "blacks", "lstat"), "rm")
keep("exercise", known("carData", "Blackmore"), "subject", "exercise", c("age", "group"), "age")
fatal <- known("AER", "Fatalities")
if (!is.null(fatal)) fatal$rate <- 1e4 * fatal$fatal / fatal$pop
keep("fatalities", with_logs(fatal, "income"), "state", "rate", c("year", "spirits", "unemp", "lincome", "beertax", "miles", "drinkage"), "year")
guns <- with_logs(known("AER", "Guns"), "violent")
if (!is.null(guns)) guns$year <- as.numeric(as.character(guns$year))
keep("guns", guns, "state", "lviolent",
  c("year", "prisoners", "afam", "cauc", "male", "population", "income", "density", "law"), "year")
keep("contraception", known("mlmRev", "Contraception"), "district", "use", c("livch", "age", "urban"))
keep("toenail", known("HSAUR3", "toenail"), "patientID", "outcome", c("treatment", "time"))
keep("aggression", known("lme4", "VerbAgg"), "id", "r2", c("Anger", "Gender", "btype", "situ", "mode"))
keep("wheeze", named(known("geepack", "ohio"), "resp", 1), "id", "resp", c("age", "smoke"), categories = "smoke")


# Several classes: as they are, or numbers cut at fixed thresholds.
cut3 <- function(table, column, at) {
  if (is.null(table)) return(NULL)
  table[[column]] <- as.character(cut(as.numeric(table[[column]]), c(-Inf, at, Inf), labels = c("low", "middle", "high")))
  table
}
as_labels <- function(table, column) {
  if (is.null(table)) return(NULL)
  table[[column]] <- paste0("is ", table[[column]])
  table
}
keep("children", as_labels(known("mlmRev", "Contraception"), "livch"), "district", "livch", c("age", "urban", "use"))
keep("answers", as_labels(known("lme4", "VerbAgg"), "resp"), "id", "resp", c("Anger", "Gender", "btype", "situ", "mode"))
keep("indigenous", as_labels(known("mlmRev", "guPrenat"), "indig"), "cluster", "indig",
  c("childAge", "motherAge", "momEd", "husEd", "toilet", "pcInd81"))
keep("inhaler", as_labels(known("brms", "inhaler"), "rating"), "subject", "rating", c("treat", "period", "carry"),
  categories = c("treat", "period", "carry"))
keep("soup", cut3(known("ordinal", "soup"), "SURENESS", c(3.5, 5.5)), "RESP", "SURENESS", c("PROD", "DAY", "SOUPTYPE", "COLD", "GENDER", "AGEGROUP"))
keep("carrots", cut3(known("lmerTest", "carrots"), "Preference", c(3.5, 5.5)), "Consumer", "Preference", c("sens1", "sens2", "Homesize"),
  categories = "Homesize")
keep("exam3", cut3(known("mlmRev", "Exam"), "normexam", c(-0.5, 0.5)), "school", "normexam", c("standLRT", "intake", "vr", "sex", "schavg"))
keep("hsb3", cut3(known("mlmRev", "Hsb82"), "mAch", c(8, 17)), "school", "mAch", c("minrty", "sx", "ses", "sector", "meanses"))
keep("chemistry3", cut3(of_some(known("mlmRev", "Chem97"), "school", 250), "score", c(5, 9)), "school", "score", c("gender", "age", "gcsescore"))
keep("growth3", cut3(of_some(known("mlmRev", "egsingle"), "childid", 600), "math", c(-1.5, 0.3)), "childid", "math",
  c("year", "retained", "female", "black", "lowinc"))

writeLines(c("{", paste(unlist(described), collapse = ",\n"), "}"), file.path(folder, "tables.json"))
