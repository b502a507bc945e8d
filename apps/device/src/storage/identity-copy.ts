import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { signingKeyFrom, uidOf } from '@heliograph/wire';
import { replaceText } from '../common/replace-text.ts';

/** The file beside the database. */
const COPY_FILE = 'identity.json';

/**
 * Settings that come along: without a password anyone on the network could set one, and with another installation the
 * device would seem to be on another computer.
 */
const COPIED_SETTINGS = ['device_password_hash', 'installation_id'] as const;

interface Copy {
  readonly private_jwk: string;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * A second copy of what a device cannot get anywhere else, in a file of its own: its key, by which the cloud knows its
 * site, and its password. A database that was lost or damaged is filled with it, so that the site stays.
 */
export class IdentityCopy {
  readonly #path: string;
  #written: string | undefined;

  /** @param folder that of the database */
  constructor(folder: string) {
    this.#path = join(folder, COPY_FILE);
    this.#written = readText(this.#path);
  }

  get exists(): boolean {
    return parse(this.#written) !== undefined;
  }

  /** Of the device that the file was written by; undefined where it is missing or damaged. */
  async uid(): Promise<string | undefined> {
    const copy = parse(this.#written);
    if (copy === undefined) return undefined;
    try {
      return uidOf((await signingKeyFrom(JSON.parse(copy.private_jwk))).publicJwk);
    } catch {
      return undefined;
    }
  }

  /**
   * Fills a database that has no identity.
   *
   * @returns whether it did
   */
  restoreInto(db: DatabaseSync): boolean {
    const copy = parse(this.#written);
    if (copy === undefined || identityIn(db) !== undefined) return false;
    db.prepare('INSERT INTO identity (id, private_jwk) VALUES (1, ?)').run(copy.private_jwk);
    const insert = db.prepare('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING');
    for (const key of COPIED_SETTINGS) {
      const value = copy.settings[key];
      if (typeof value === 'string') insert.run(key, value);
    }
    return true;
  }

  /** Whether a change of this setting has to be followed by an `update`. */
  covers(key: string): boolean {
    return COPIED_SETTINGS.some((covered) => covered === key);
  }

  /** Writes the file where it differs from the database. @throws the system's error */
  async update(db: DatabaseSync): Promise<void> {
    const identity = identityIn(db);
    if (identity === undefined) return;
    const select = db.prepare('SELECT value FROM settings WHERE key = ?');
    const settings = COPIED_SETTINGS.flatMap((key) => {
      const value = select.get(key)?.value;
      return typeof value === 'string' ? [[key, value]] : [];
    });
    const copy: Copy = { private_jwk: identity, settings: Object.fromEntries(settings) };
    const text = `${JSON.stringify(copy, null, 2)}\n`;
    if (text === this.#written) return;
    await replaceText(this.#path, text);
    this.#written = text;
  }
}

function identityIn(db: DatabaseSync): string | undefined {
  const jwk = db.prepare('SELECT private_jwk FROM identity').get()?.private_jwk;
  return typeof jwk === 'string' ? jwk : undefined;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** @returns undefined for a file that is missing or damaged */
function parse(text: string | undefined): Copy | undefined {
  try {
    const copy: Partial<Copy> | null = JSON.parse(text ?? 'null');
    if (typeof copy?.private_jwk !== 'string') return undefined;
    return { private_jwk: copy.private_jwk, settings: copy.settings ?? {} };
  } catch {
    return undefined;
  }
}
