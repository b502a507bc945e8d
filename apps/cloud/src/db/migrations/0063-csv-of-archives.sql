-- The language and region, in BCP 47, whose spreadsheets open the CSV of the archive; null: RFC 4180, for programs.
alter table data_exports add column csv_locale text;
