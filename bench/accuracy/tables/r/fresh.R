# Tables that nobody had looked at when every constant was settled, chosen by their columns alone: to judge by, not to settle by.

# Groups with a common rule of work: soldiers' companies, work groups, classes.
keep("wellbeing", known("multilevel", "bh1996"), "GRP", "WBEING", c("HRS", "COHES", "LEAD"), "HRS")
keep("combat", known("multilevel", "lq2002"), "COMPID", "HOSTILE", c("LEAD", "TSIG"), "LEAD")
keep("religion", known("multilevel", "bhr2000"), "GRP", "RELIG",
  c("HRS", "AF06", "AF07", "AP12", "AP17", "AP33", "AP34", "AS14", "AS15", "AS16", "AS17", "AS28"), "HRS")
keep("jobs", known("multilevel", "univbct"), "SUBNUM", "JSAT", c("TIME", "COMMIT", "READY", "AGE", "RANK"), "TIME")
keep("boards", known("multilevel", "paneldat"), "companyid", "roani",
  c("year", "boardindprop", "dirageavg", "femaledirsprop", "debtassets", "lnemp", "ceotenure"), "year")
keep("justice", known("mitml", "justice"), "id", "sat", c("jor", "jcl", "sex"), "jor")
keep("reading", known("mitml", "studentratings"), "ID", "ReadAchiev", c("MathAchiev", "CognAbility", "Sex", "FedState"), "MathAchiev")
keep("jsp", known("jomo", "JSPmiss"), "school", "english", c("ravens", "fluent", "sex", "behaviour"), "ravens")

# Countries and regions.
gapminder <- known("dslabs", "gapminder")
if (!is.null(gapminder)) gapminder$income <- log(gapminder$gdp / gapminder$population)
keep("gapminder", gapminder, "country", "life_expectancy", c("year", "fertility", "infant_mortality", "income"), "year")
world <- with_logs(known("pwt9", "pwt9.1"), c("rgdpna", "emp", "rnna"))
keep("world", of_some(world, "country", 100), "country", "lrgdpna", c("year", "lemp", "lrnna", "hc", "labsh"), "year")
belgium <- known("sampling", "belgianmunicipalities")
if (!is.null(belgium)) belgium$growth <- belgium$DiffTOT / belgium$Tot03
keep("belgium", with_logs(belgium, "Tot04"), "Arrondiss", "medianincome", c("lTot04", "growth"), "lTot04")
keep("cancer", known("latticeExtra", "USCancerRates"), "state", "rate.male", "rate.female", "rate.female")
schools <- known("survey", "apipop", "api")
if (!is.null(schools)) schools <- schools[ave(schools$snum, schools$dname, FUN = length) >= 4, ]
keep("api", of_some(schools, "dname", 150), "dname", "api00", c("meals", "ell", "mobility", "avg.ed", "full", "enroll", "stype"), "meals")

# Patients, shops, storms, houses.
# 999 stands for a date of death.
fev <- known("msm", "fev")
keep("fev", fev[fev$fev < 999, ], "ptnum", "fev", c("days", "acute"), "days")
keep("aneurysm", of_some(known("msm", "aneur"), "ptnum", 300), "ptnum", "diam", "age", "age")
keep("quality", known("parameters", "qol_cancer"), "ID", "QoL", c("time", "phq4", "age", "education"), "phq4")
keep("cheese", with_logs(known("bayesm", "cheese"), c("VOLUME", "PRICE")), "RETAILER", "lVOLUME", c("lPRICE", "DISP"), "lPRICE")
keep("storms", of_some(known("dplyr", "storms"), "name", 100), "name", "wind", c("pressure", "lat", "long", "hour"), "pressure")
keep("ames", with_logs(known("modeldata", "ames"), c("Sale_Price", "Lot_Area", "Gr_Liv_Area")), "Neighborhood", "lSale_Price",
  c("lLot_Area", "lGr_Liv_Area", "Year_Built", "Year_Remod_Add", "Total_Bsmt_SF", "Full_Bath", "Central_Air"), "lGr_Liv_Area")
loans <- known("modeldata", "lending_club")
keep("loans", loans, "addr_state", "int_rate",
  c("funded_amnt", "term", "verification_status", "annual_inc", "inq_last_6mths", "revol_util", "all_util", "delinq_2yrs"), "term")

# Two classes.
obese <- of_some(known("geepack", "muscatine"), "id", 400)
keep("obese", obese, "id", "obese", c("age", "base_age", "gender"))
respiratory <- known("geepack", "respiratory")
if (!is.null(respiratory)) {
  respiratory$id <- paste(respiratory$center, respiratory$id)
  respiratory$outcome <- ifelse(respiratory$outcome == 1, "good", "poor")
}
keep("respiratory", respiratory, "id", "outcome", c("visit", "treat", "sex", "age", "baseline"))
keep("churn", known("modeldata", "mlc_churn"), "state", "churn",
  c("account_length", "international_plan", "voice_mail_plan", "total_day_minutes", "total_eve_minutes", "total_intl_calls",
    "number_customer_service_calls"))
wanted <- if (!is.null(loans)) transform(loans, dear = ifelse(int_rate > 12, "yes", "no"))
keep("dear", wanted, "addr_state", "dear",
  c("funded_amnt", "term", "verification_status", "annual_inc", "inq_last_6mths", "revol_util", "all_util"))
