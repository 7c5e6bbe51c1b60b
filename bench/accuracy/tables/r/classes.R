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
keep("carrots3", cut3(known("lmerTest", "carrots"), "Preference", c(3.5, 5.5)), "Consumer", "Preference", c("sens1", "sens2", "Homesize"),
  categories = "Homesize")
keep("exam3", cut3(known("mlmRev", "Exam"), "normexam", c(-0.5, 0.5)), "school", "normexam", c("standLRT", "intake", "vr", "sex", "schavg"))
keep("hsb3", cut3(known("mlmRev", "Hsb82"), "mAch", c(8, 17)), "school", "mAch", c("minrty", "sx", "ses", "sector", "meanses"))
keep("chemistry3", cut3(of_some(known("mlmRev", "Chem97"), "school", 250), "score", c(5, 9)), "school", "score", c("gender", "age", "gcsescore"))
keep("growth3", cut3(of_some(known("mlmRev", "egsingle"), "childid", 600), "math", c(-1.5, 0.3)), "childid", "math",
  c("year", "retained", "female", "black", "lowinc"))
