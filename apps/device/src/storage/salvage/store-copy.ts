import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { replaceText } from '../../common/replace-text.ts';
import { identityFrom, storedJwk } from '../identity.ts';
import { ANY_VALUE, storedJson } from '../stored-json.ts';

/** The file beside the database. */
export const COPY_FILE = 'identity.json';

/**
 * Settings without a copy: they change by themselves every few minutes, are known again soon after a loss, and count what
 * other tables hold.
 */
const PASSING_SETTINGS =
  /^(latest_time|clock_lead|tunnel_ticket|cloud_alerts|cloud_history|mqtt_alert_revision|energy_hours_since|notifications .*|schema_works_with)$/;

const COPY = Compile(
  Type.Object({
    private_jwk: Type.String(),
    settings: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    has_all_settings: Type.Optional(Type.Boolean()),
  }),
);

/** A text whose bytes changed has this character. */
const REPLACED = '\uFFFD';

/**
 * A second copy of the key, by which the cloud knows the site, and of every setting, in a file beside the database. A
 * database that was lost or damaged is filled with it.
 */
export class StoreCopy {
  readonly #path: string;
  /** As it was before this start. */
  readonly #former: { readonly jwk: string; readonly settings: ReadonlyMap<string, string> } | undefined;
  /** The last text of each setting that the device wrote, or that its reader accepted. */
  readonly #settings: Map<string, string>;
  #written: string | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** @param folder that of the database */
  constructor(folder: string) {
    this.#path = join(folder, COPY_FILE);
    this.#written = readText(this.#path);
    const copy = storedJson(this.#written, COPY);
    const settings = Object.entries(copy?.settings ?? {}).filter(isText);
    this.#former = copy && { jwk: copy.private_jwk, settings: new Map(settings) };
    this.#settings = new Map(settings);
  }

  /** Whether there is such a file, whatever is in it. */
  get exists(): boolean {
    return this.#written !== undefined;
  }

  /** Of the device that the file was written by; undefined where the file is missing or damaged. */
  async uid(): Promise<string | undefined> {
    return (await identityFrom(this.#former?.jwk))?.uid;
  }

  /** Whether it has the settings of the device; former releases copied the password alone. */
  get hasSettings(): boolean {
    return storedJson(this.#written, COPY)?.has_all_settings === true;
  }

  /** The last text of a setting that the device wrote or its reader accepted, in this run or before. */
  setting(key: string): string | undefined {
    return this.#settings.get(key);
  }

  /** @param value undefined: the setting was deleted */
  follow(key: string, value: string | undefined): void {
    if (value === undefined) this.#settings.delete(key);
    else this.#settings.set(key, value);
  }

  /** Forgets the settings of another device. */
  forgetSettings(): void {
    this.#settings.clear();
  }

  /** Whether a change of this setting has to be followed by an `update`. */
  covers(key: string): boolean {
    return !PASSING_SETTINGS.test(key);
  }

  /**
   * Puts the identity into a database that has none which can be used.
   *
   * @returns whether it did
   */
  async restoreIdentity(db: DatabaseSync): Promise<boolean> {
    if ((await this.uid()) === undefined || (await identityFrom(storedJwk(db))) !== undefined) return false;
    db.prepare(
      'INSERT INTO identity (id, private_jwk) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET private_jwk = excluded.private_jwk',
    ).run(this.#former?.jwk ?? '');
    return true;
  }

  /** Adds the settings that a database does not have. @param only others are left out */
  restoreSettings(db: DatabaseSync, only?: readonly string[]): void {
    const insert = db.prepare('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING');
    for (const [key, value] of this.#former?.settings ?? [])
      if (only === undefined || only.includes(key)) insert.run(key, value);
  }

  /** Writes the file where it differs from the database, after writes that are under way. @throws the system's error */
  update(db: DatabaseSync): Promise<void> {
    const written = this.#writing.then(() => this.#write(db));
    this.#writing = written.catch(() => undefined);
    return written;
  }

  /** Ends once no write is under way. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async #write(db: DatabaseSync): Promise<void> {
    const jwk = db.isOpen ? storedJwk(db) : undefined;
    // One that was damaged since the start is restored from the file by the next.
    if ((await identityFrom(jwk)) === undefined) return;
    const settings = db.prepare('SELECT key, value FROM settings ORDER BY key').all();
    const copied = settings.flatMap(({ key, value }) =>
      this.covers(String(key)) ? [[key, this.#accepted(String(key), String(value))]] : [],
    );
    const content = { private_jwk: jwk, has_all_settings: true, settings: Object.fromEntries(copied) };
    const text = `${JSON.stringify(content, null, 2)}\n`;
    if (text === this.#written) return;
    await replaceText(this.#path, text);
    this.#written = text;
  }

  /** A value that its reader has not accepted may be damaged: it must not take the place of the one before. */
  #accepted(key: string, value: string): string {
    const former = this.setting(key);
    return former === undefined || isDamaged(former) ? value : former;
  }
}

/** Settings are JSON, or short texts. */
function isDamaged(value: string): boolean {
  if (value.includes(REPLACED)) return true;
  return /^[[{]/.test(value) && storedJson(value, ANY_VALUE) === undefined;
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string';
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
