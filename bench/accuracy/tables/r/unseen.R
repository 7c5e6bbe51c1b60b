# Tables that were taken after those of `fresh.R` had been looked at, chosen by their columns alone, before any was run.

# States, counties, towns.
keep("presidents", known("pscl", "presidentialElections"), "state", "demVote", c("year", "south"), "year")
keep("commons", known("pscl", "UKHouseOfCommons"), "county", "y1", c("y1lag", "y2lag", "coninc", "labinc", "libinc"), "y1lag")
towns <- known("AER", "Municipalities")
if (!is.null(towns)) towns$year <- as.numeric(as.character(towns$year))
keep("towns", towns, "municipality", "expenditures", c("year", "revenues", "grants"), "revenues")
deaths <- known("clubSandwich", "MortalityRates")
if (!is.null(deaths)) deaths <- deaths[deaths$cause == "Motor Vehicle", ]
keep("deaths", deaths, "state", "mrate", c("year", "legal", "beertaxa", "beerpercap", "winepercap", "spiritpercap"), "year")
polls <- known("dslabs", "polls_us_election_2016")
if (!is.null(polls)) {
  polls <- polls[polls$state != "U.S.", ]
  polls$days <- as.numeric(as.Date("2016-11-08") - polls$enddate)
}
keep("polls", with_logs(polls, "samplesize"), "state", "rawpoll_clinton", c("days", "lsamplesize", "population"), "days")
measles <- known("dslabs", "us_contagious_diseases")
if (!is.null(measles)) {
  measles <- measles[measles$disease == "Measles", ]
  measles$rate <- log1p(1e5 * measles$count / measles$population)
}
keep("measles", with_logs(measles, "population"), "state", "rate", c("year", "weeks_reporting", "lpopulation"), "year")
keep("sacramento", with_logs(known("caret", "Sacramento"), c("price", "sqft")), "zip", "lprice", c("beds", "baths", "lsqft", "type"), "lsqft")
air <- known("GGally", "nasa")
if (!is.null(air)) air$place <- paste(air$x, air$y)
keep("air", of_some(air, "place", 100), "place", "ozone",
  c("month", "year", "pressure", "surftemp", "temperature", "cloudhigh", "cloudmid", "cloudlow"), "temperature")

# Patients, twins, doctors.
keep("cells", known("timereg", "cd4"), "id", "cd4", c("visit", "smoke", "age", "precd4"), "visit")
keep("liver", known("timereg", "csl"), "id", "prot", c("time", "sex", "age", "treat", "prot.base"), "time")
keep("bones", known("lava", "calcium"), "person", "bmd", c("age", "visit", "group"), "age")
opioid <- known("nlme", "Remifentanil")
if (!is.null(opioid)) opioid <- opioid[!is.na(opioid$conc) & opioid$conc > 0, ]
keep("opioid", with_logs(opioid, "conc"), "ID", "lconc", c("Time", "Rate", "Age", "Sex", "Wt"), "Time")
keep("twins", of_some(known("mets", "twinbmi"), "tvparnr", 500), "tvparnr", "bmi", c("age", "gender", "zyg"), "age")
visits <- known("bayesm", "detailing")
if (!is.null(visits)) {
  # Counts repeat once a row, doctors' own columns once a doctor.
  own <- visits[!duplicated(visits$demo.id), c("demo.id", "demo.generalphys", "demo.specialist", "demo.mean_samples")]
  visits <- merge(visits[, grep("^counts", names(visits))], own, by.x = "counts.id", by.y = "demo.id")
}
keep("doctors", of_some(visits, "counts.id", 300), "counts.id", "counts.scripts",
  c("counts.detailing", "counts.lagged_scripts", "demo.generalphys", "demo.specialist", "demo.mean_samples"), "counts.lagged_scripts")
keep("zambia", with(list(z = known("cAIC4", "Zambia")), if (!is.null(z)) transform(z, dr = sub(":.*", "", as.character(dr)))), "dr", "z",
  c("c.bf", "c.age", "m.ht", "m.bmi"), "c.age")

# Persons at a task, groups at work, viewers, fields.
keep("words", known("afex", "fhch2010"), "id", "log_rt", c("task", "stimulus", "density", "frequency", "length"))
stroop <- of_some(known("afex", "stroop"), "pno", 150)
if (!is.null(stroop)) stroop <- stroop[!is.na(stroop$rt) & stroop$rt > 0 & stroop$trialnum <= 40, ]
keep("stroop", with_logs(stroop, "rt"), "pno", "lrt", c("condition", "study", "trialnum", "congruency"), "trialnum")
keep("stores", known("multilevel", "klein2000"), "GRPID", "JOBSAT", c("COHES", "POSAFF", "PAY", "NEGLEAD", "WLOAD", "TASKSIG", "PHYSEN"), "COHES")
keep("tanks", known("multilevel", "tankdat"), "ID", "SCORE", c("CONSC", "TIME"), "TIME")
keep("quarters", known("pan", "YWC.data"), "final.clusterid", "efficacy", c("final.primed", "soc", "ldr.cap", "hope", "problems", "nei.norms", "trust"), "trust")
keep("films", of_some(known("dslabs", "movielens"), "userId", 200), "userId", "rating", c("year", "timestamp"), "year")
memory <- known("metadat", "dat.mccurdy2020")
keep("memory", memory, "article", "yi", c("condition", "ni", "stimuli", "memory_test", "manip_type"), "stimuli")
keep("wheat", known("nlme", "Wheat2"), "variety", "yield", c("latitude", "longitude"), "latitude")

# Two classes.
stops <- known("carData", "MplsStops")
if (!is.null(stops)) stops <- transform(stops[!is.na(stops$gender) & stops$gender != "Unknown", ], hour = as.POSIXlt(date)$hour, black = ifelse(race == "Black", "yes", "no"))
keep("stops", if (!is.null(stops)) stops[sample(nrow(stops), 8000), ], "neighborhood", "personSearch", c("problem", "hour", "black", "gender"))
awards <- known("clubSandwich", "AchievementAwardsRCT")
if (!is.null(awards)) awards$certificate <- ifelse(awards$Bagrut_status == 1, "yes", "no")
keep("awards", if (!is.null(awards)) awards[sample(nrow(awards), 4000), ], "school_id", "certificate",
  c("treated", "year", "sex", "siblings", "immigrant", "father_ed", "mother_ed", "lagscore"))
keep("headache", known("carData", "KosteckiDillon"), "id", "headache", c("time", "hatype", "age", "airq", "medication", "sex"))
turtles <- known("bridgesampling", "turtles")
if (!is.null(turtles)) turtles$y <- ifelse(turtles$y == 1, "survived", "died")
keep("turtles", turtles, "clutch", "y", "x")
