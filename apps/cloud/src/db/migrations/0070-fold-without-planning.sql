-- Each plan of a query with a function in SQL parses the function's text, here with its tables of letters, to see whether the query can
-- have it within. A function in PL/pgSQL is parsed once by each connection. The text remains what it was.
do $$
begin
  execute format(
    'create or replace function folded(given text) returns text language plpgsql immutable strict parallel safe as %L',
    (select 'begin ' || regexp_replace(prosrc, '^\s*select', 'return') || '; end' from pg_proc where oid = 'folded(text)'::regprocedure));
end $$;

-- Plans with the values of one device seem cheaper by what their functions have already computed: each device had new ones.
alter function keep_device_words() set plan_cache_mode = force_generic_plan;
alter function keep_site_models() set plan_cache_mode = force_generic_plan;
