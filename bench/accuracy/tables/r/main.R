# Tables of grouped rows from R's packages, each with five splits within tasks and the typical ranges of its columns.
# Nothing of them is in the project: this writes them into a folder, from the packages that are on the machine.
#
#   Rscript main.R FOLDER PART...     parts: the other files here but tools.R

given <- commandArgs(TRUE)
folder <- given[1]
home <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)))
set.seed(42)
described <- list()
for (part in c("tools", given[-1])) source(file.path(home, paste0(part, ".R")))

writeLines(c("{", paste(unlist(described), collapse = ",\n"), "}"), file.path(folder, "tables.json"))
