-- From when on a key signs; until the next one does, and it stays published for as long as what it signed is good.
-- Null for the key that is published ahead and signs after the next rotation, so that everybody knows it by then.
alter table signing_keys add column signs_from timestamptz;
update signing_keys set signs_from = created_at;
