# The first tables, of numbers and of labels: docs/RESULTS.md says which constants were settled with them in sight.

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
