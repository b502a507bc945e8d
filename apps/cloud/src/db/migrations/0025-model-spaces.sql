-- Models lose all white space and control characters around them, not only plain spaces: a model behind a tab or a
-- no-break space was not found.
create or replace function trimmed_model(model text) returns text language sql immutable as $$
  select btrim(model, U&'\0001\0002\0003\0004\0005\0006\0007\0008\0009\000A\000B\000C\000D\000E\000F'
    '\0010\0011\0012\0013\0014\0015\0016\0017\0018\0019\001A\001B\001C\001D\001E\001F\0020\007F'
    '\0080\0081\0082\0083\0084\0085\0086\0087\0088\0089\008A\008B\008C\008D\008E\008F'
    '\0090\0091\0092\0093\0094\0095\0096\0097\0098\0099\009A\009B\009C\009D\009E\009F\00A0\00AD'
    '\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\200B\200C\200D\200E\200F'
    '\2028\2029\202F\205F\2060\3000\FEFF')
$$;
create or replace function reported_models(reported text) returns setof text language sql immutable as $$
  select model from (
    select trimmed_model(lower(reported)) as model
      union select trimmed_model(string_to_table(lower(reported), ','))) as models
  where model <> ''
$$;

insert into site_models (site_id, part, model)
  select site_id, part, trimmed_model(model) from site_models
  where model <> trimmed_model(model) and trimmed_model(model) <> ''
  on conflict do nothing;
delete from site_models where model <> trimmed_model(model);
