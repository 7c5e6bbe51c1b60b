# Fifty more tables of numbers: longitudinal and panel data, schools, panels of tasters, counts as logarithms.

as_text <- function(table, columns) {
  for (column in columns) table[[column]] <- as.character(table[[column]])
  table
}
# Leaves a table that is not on this machine out.
but <- function(table, change) if (is.null(table)) NULL else change(as.data.frame(table))

epil <- known("MASS", "epil")
keep("epil", epil, "subject", "y", c("trt", "base", "age", "V4"))
keep("lepil", but(epil, function(x) transform(x, ly = log(y + 1), lbase = log(base))), "subject", "ly", c("trt", "lbase", "age", "V4"))
keep("oxboys", known("nlme", "Oxboys"), "Subject", "height", "age", "age")
keep("chick", known("datasets", "ChickWeight"), "Chick", "weight", c("Time", "Diet"), "Time")
keep("quinidine", known("nlme", "Quinidine"), "Subject", "conc",
  c("time", "Age", "Height", "Weight", "Race", "Smoke", "Ethanol", "Heart", "glyco"))
keep("spruce", known("nlme", "Spruce"), "Tree", "logSize", c("days", "plot"), "days", "plot")
keep("soybean", but(known("nlme", "Soybean"), function(x) transform(x, lw = log(weight))), "Plot", "lw", c("Time", "Year", "Variety"), "Time", "Year")
keep("star", of_some(but(known("mlmRev", "star"), function(x) x[x$gr == "3", ]), "sch", 60), "sch", "read", c("sx", "eth", "ses", "cltype", "math"))
keep("coma", known("carData", "Wong"), "id", "piq", c("days", "duration", "sex", "age"))
keep("orthodont", known("nlme", "Orthodont"), "Subject", "distance", c("age", "Sex"), "age")
keep("melanoma", but(known("mlmRev", "Mmmec"), function(x) transform(x, ld = log((deaths + .5) / expected))), "region", "ld", c("uvb", "nation"))
keep("rats", known("nlme", "BodyWeight"), "Rat", "weight", c("Time", "Diet"), "Time")
keep("sleep", known("lme4", "sleepstudy"), "Subject", "Reaction", "Days", "Days")
keep("grunfeld", known("plm", "Grunfeld"), "firm", "inv", c("value", "capital", "year"), "value")
keep("snmesp", of_some(known("plm", "Snmesp"), "firm", 300), "firm", "n", c("w", "y", "i", "k", "f", "year"), "y")
keep("pigs", known("geepack", "dietox"), "Pig", "Weight", c("Time", "Evit", "Cu", "Litter"), "Time", "Litter")
keep("lectures", of_some(known("lme4", "InstEval"), "d", 300), "d", "y", c("studage", "lectage", "service", "dept"), NULL,
  c("studage", "lectage", "service", "dept"))
keep("gasoline", known("plm", "Gasoline"), "country", "lgaspcar", c("year", "lincomep", "lrpmg", "lcarpcap"), "lrpmg")
keep("caschools", known("AER", "CASchools"), "county", "math", c("students", "calworks", "lunch", "expenditure", "income", "english", "grades"), "income")
keep("seatbelts", but(with_logs(known("AER", "USSeatBelts"), c("income", "fatalities")), function(x) transform(x, year = as.numeric(as.character(year)))),
  "state", "lfatalities", c("year", "seatbelt", "speed65", "speed70", "drinkage", "alcohol", "lincome", "age", "enforce"), "seatbelt")
keep("housing", but(known("ggplot2", "txhousing"), function(x) as_text(transform(x[sample(nrow(x), 3000), ], lp = log(median), ls = log(sales)), "month")),
  "city", "lp", c("year", "ls", "inventory", "month"), "year", "month")
keep("salamanders", but(known("glmmTMB", "Salamanders"), function(x) transform(x, lc = log(count + 1))), "site", "lc",
  c("mined", "cover", "DOP", "Wtemp", "DOY", "spp"))
keep("owls", but(known("glmmTMB", "Owls"), function(x) transform(x, ln = log(SiblingNegotiation + 1))), "Nest", "ln",
  c("FoodTreatment", "SexParent", "ArrivalTime", "logBroodSize"))
keep("twolevel", known("lavaan", "Demo.twolevel"), "cluster", "y1", c("x1", "x2", "x3", "w1", "w2"), "x1")
keep("popularity", known("mice", "popmis"), "school", "teachpop", c("sex", "texp"))
keep("boys", of_some(known("mice", "tbc"), "id", 200), "id", "hgt.z", c("age", "sex", "wgt.z"), "age")
keep("pisa", known("mitools", "pisamaths"), "SCHOOLID", "PV1MATH", c("ST04Q01", "PCGIRLS", "MATHEFF", "OPENPS"))
keep("ratpup", known("nlme", "RatPupWeight"), "Litter", "weight", c("sex", "Lsize", "Treatment"))
keep("males", of_some(known("plm", "Males"), "nr", 300), "nr", "wage",
  c("year", "school", "exper", "union", "ethn", "married", "health", "industry", "residence"), "exper")
keep("nations", with_logs(known("plm", "SumHes"), c("gdp", "pop")), "country", "lgdp", c("year", "opec", "com", "lpop", "sr"), "year")
keep("pbclong", known("rstanarm", "pbcLong"), "id", "logBili", c("age", "sex", "trt", "year", "albumin", "platelet"), "year")
keep("radon", known("rstanarm", "radon"), "county", "log_radon", c("floor", "log_uranium"))
keep("carrots", known("lmerTest", "carrots"), "Consumer", "Preference", c("sens1", "sens2", "Homesize", "Age", "Income"), NULL,
  c("Homesize", "Age", "Income"))
keep("ham", known("lmerTest", "ham"), "Consumer", "Informed.liking", c("Gender", "Age", "Product", "Information"), NULL, c("Product", "Information"))
keep("arabidopsis", but(known("lme4", "Arabidopsis"), function(x) transform(x, lt = log(total.fruits + 1))), "gen", "lt",
  c("rack", "nutrient", "amd", "status", "reg"), NULL, c("nutrient", "rack"))
keep("ticks", but(known("lme4", "grouseticks"), function(x) transform(x, lt = log(TICKS + 1))), "BROOD", "lt", c("HEIGHT", "YEAR"), NULL, "YEAR")
keep("fries", known("reshape2", "french_fries"), "subject", "potato", c("time", "treatment", "buttery", "grassy", "rancid", "painty"), NULL,
  c("time", "treatment"))
keep("reasoning", known("afex", "sk2011.2"), "id", "response", c("instruction", "inference", "validity", "what", "type"))
keep("petersen", of_some(known("sandwich", "PetersenCL"), "firm", 300), "firm", "y", c("x", "year"), "x")
keep("baseball", of_some(but(known("plyr", "baseball"), function(x) transform(x[x$ab > 100, ], avg = h / ab, hr = hr / ab, bb = bb / ab)), "id", 300),
  "id", "avg", c("year", "ab", "hr", "bb", "lg"))
keep("lives", but(known("collapse", "wlddev"), function(x) transform(x[x$year %% 5 == 0, ], lgdp = log(PCGDP), lpop = log(POP))),
  "country", "LIFEEX", c("year", "lgdp", "lpop", "region", "income"), "year")
keep("brandsma", known("mice", "brandsma"), "sch", "lpo", c("sex", "ses", "den", "iqv", "iqp", "min", "rpg", "lpr", "apr"), "iqv", "den")
keep("forbes", but(known("HSAUR3", "Forbes2000"), function(x) with_logs(x[x$sales > 0, ], c("sales", "assets", "marketvalue"))),
  "country", "lsales", c("lassets", "lmarketvalue", "profits"), "lassets")
keep("cars", known("ggplot2", "mpg"), "manufacturer", "hwy", c("displ", "year", "cyl", "drv", "class"), "displ")
keep("vocabulary", but(known("carData", "Vocab"), function(x) x[sample(nrow(x), 4000), ]), "year", "vocabulary", c("sex", "education"), "education")
keep("measures", known("carData", "OBrienKaiserLong"), "id", "score", c("treatment", "gender", "phase", "hour"))
keep("hearing", but(known("MASS", "OME"), function(x) transform(x, part = Correct / Trials)), "ID", "part", c("Age", "Loud", "Noise"), "Loud")
keep("sitka", known("MASS", "Sitka"), "tree", "size", c("Time", "treat"), "Time")
keep("ulcers", known("geepack", "koch"), "id", "y", c("trt", "day"))
keep("elections", of_some(but(known("ggridges", "Catalan_elections"), function(x) as_text(x[x$Option == levels(factor(x$Option))[1], ], "Municipality")),
  "Municipality", 300), "Municipality", "Percent", "Year")
