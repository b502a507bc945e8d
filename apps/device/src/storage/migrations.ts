/**
 * The device's tables, as numbered steps: step n brings a database of `user_version` n to n + 1. A step that
 * has been released is never edited; a change is a new step at the end.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE identity (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    private_jwk TEXT NOT NULL
  ) STRICT;

  CREATE TABLE energy (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    state TEXT NOT NULL
  ) STRICT;

  CREATE TABLE write_log (
    id        INTEGER PRIMARY KEY,
    at        INTEGER NOT NULL,
    author    TEXT NOT NULL,
    via       TEXT NOT NULL,
    topic     TEXT NOT NULL,
    old_value TEXT,
    new_value TEXT NOT NULL,
    outcome   TEXT NOT NULL DEFAULT 'unknown'
  ) STRICT;
  `,
  `
  CREATE TABLE audit_log (
    id      INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    action  TEXT NOT NULL,
    author  TEXT NOT NULL,
    via     TEXT NOT NULL,
    address TEXT,
    subject TEXT,
    changes TEXT NOT NULL,
    outcome TEXT NOT NULL DEFAULT 'unknown'
  ) STRICT;

  CREATE INDEX audit_log_by_action ON audit_log (action, id);
  `,
  `
  CREATE TABLE energy_days (
    day     INTEGER PRIMARY KEY,
    amounts TEXT NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE counter_sets (
    at       INTEGER NOT NULL,
    counter  TEXT NOT NULL,
    from_kwh REAL NOT NULL,
    to_kwh   REAL NOT NULL,
    PRIMARY KEY (counter, at)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE energy_days ADD COLUMN hour TEXT;

  -- Half watt-milliseconds, and milliseconds of the hour that readings covered; null is unknown.
  CREATE TABLE energy_hours (
    start           INTEGER PRIMARY KEY,
    covered_ms      INTEGER,
    pv              INTEGER,
    load            INTEGER,
    battery_in      INTEGER,
    battery_out     INTEGER,
    grid_in         INTEGER,
    grid_out        INTEGER,
    pv_to_load      INTEGER,
    pv_to_battery   INTEGER,
    pv_to_grid      INTEGER,
    battery_to_load INTEGER,
    battery_to_grid INTEGER,
    grid_to_load    INTEGER,
    grid_to_battery INTEGER
  ) STRICT;
  `,
  `
  -- No id is ever used again: the cloud knows alerts by it.
  CREATE TABLE alerts (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    revision        INTEGER NOT NULL UNIQUE,
    rule            TEXT NOT NULL,
    kind            TEXT NOT NULL,
    severity        TEXT NOT NULL,
    topic           TEXT,
    name            TEXT,
    detail          TEXT,
    value           TEXT NOT NULL,
    limit_value     REAL,
    unit            TEXT NOT NULL,
    since           INTEGER NOT NULL,
    raised_at       INTEGER NOT NULL,
    last_at         INTEGER NOT NULL,
    cleared_at      INTEGER,
    acknowledged_at INTEGER,
    acknowledged_by TEXT,
    times           INTEGER NOT NULL DEFAULT 1
  ) STRICT;

  CREATE INDEX alerts_by_subject ON alerts (rule, topic, detail, id);
  CREATE INDEX alerts_open ON alerts (id) WHERE cleared_at IS NULL;
  `,
  `
  ALTER TABLE write_log ADD COLUMN reason TEXT;
  -- 1 from before an attempt is sent, so that one which a power cut ended counts.
  ALTER TABLE write_log ADD COLUMN sent INTEGER NOT NULL DEFAULT 1;
  UPDATE write_log SET sent = 0 WHERE outcome = 'not sent';
  `,
  `
  -- When a later reading showed the outcome; whether one still may; settings that changed along, as JSON.
  ALTER TABLE write_log ADD COLUMN settled_at INTEGER;
  ALTER TABLE write_log ADD COLUMN is_open INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE write_log ADD COLUMN also_changed TEXT;
  CREATE INDEX write_log_open ON write_log (topic, id) WHERE is_open = 1;
  `,
  `
  -- Of the unit that was written, null where it has none: another one's readings settle nothing.
  ALTER TABLE write_log ADD COLUMN serial_number TEXT;
  `,
];

/** The number of steps of the last release before this one: steps only add, so that its device works with them. */
export const OLDEST_WORKING_SCHEMA = 4;
