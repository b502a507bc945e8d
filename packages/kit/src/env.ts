import { readFileSync } from 'node:fs';
import { AddressList } from './address-list.ts';
import { messageOf } from './errors.ts';

/** Raised when the environment cannot be turned into a configuration; the message names the variable. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError';
}

/** A newer release has changed the database in ways that this one cannot work with: another start changes nothing. */
export class NewerDatabase extends ConfigError {
  override readonly name = 'NewerDatabase';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Typed access to environment variables. Every getter names the variable when it refuses a value. */
export class Env {
  readonly #values: Environment;

  constructor(values: Environment = process.env) {
    this.#values = values;
  }

  optional(name: string): string | undefined {
    const value = this.#values[name]?.trim();
    return value === '' ? undefined : value;
  }

  string(name: string, fallback?: string): string {
    const value = this.optional(name) ?? fallback;
    if (value === undefined) throw new ConfigError(`${name} is not set`);
    return value;
  }

  /**
   * A secret: the variable, or the content of the file that `NAME_FILE` names, as secrets of containers and systemd's
   * credentials are given.
   */
  secret(name: string): string | undefined {
    const value = this.optional(name);
    const file = this.optional(`${name}_FILE`);
    if (file === undefined) return value;
    if (value !== undefined) throw new ConfigError(`${name} and ${name}_FILE exclude each other`);
    try {
      return readFileSync(file, 'utf8').trim() || undefined;
    } catch (error) {
      throw new ConfigError(`${name}_FILE: ${file} cannot be read: ${messageOf(error)}`);
    }
  }

  integer(name: string, options: { fallback?: number; min?: number; max?: number } = {}): number {
    const text = this.optional(name);
    if (text === undefined) {
      if (options.fallback === undefined) throw new ConfigError(`${name} is not set`);
      return options.fallback;
    }
    const { min = 0, max = Number.MAX_SAFE_INTEGER } = options;
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || value < min || value > max) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
    }
    return value;
  }

  /** A TCP port; 0 lets the system pick a free one. */
  port(name: string, fallback?: number): number {
    return this.integer(name, { min: 0, max: 65_535, ...(fallback === undefined ? {} : { fallback }) });
  }

  oneOf<const T extends string>(name: string, values: readonly T[], fallback: T): T {
    const text = this.optional(name) ?? fallback;
    const value = values.find((candidate) => candidate === text);
    if (value === undefined)
      throw new ConfigError(`${name} must be one of ${values.join(', ')}, not "${text}"`);
    return value;
  }

  boolean(name: string, fallback: boolean): boolean {
    return this.oneOf(name, ['true', 'false'], fallback ? 'true' : 'false') === 'true';
  }

  /** Addresses and ranges such as `10.0.0.0/8`, with spaces or commas between them. */
  addresses(name: string, fallback = ''): string[] {
    const list = this.string(name, fallback)
      .split(/[\s,]+/)
      .filter((text) => text !== '');
    try {
      new AddressList(list);
    } catch (error) {
      throw new ConfigError(`${name}: ${messageOf(error)}`, { cause: error });
    }
    return list;
  }

  /** An absolute http or https URL without a trailing slash. */
  url(name: string, fallback?: string): string {
    const text = this.string(name, fallback);
    if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
      throw new ConfigError(`${name} must be an http or https URL, not "${text}"`);
    }
    return text.replace(/\/+$/, '');
  }
}
