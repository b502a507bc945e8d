import type {
  DeviceAuditEntry,
  DeviceConfiguration,
  DeviceConfigurationChange,
  DriverDescription,
  DriverOption,
} from '@heliograph/contracts';
import {
  AppError,
  ConfigError,
  Forbidden,
  messageOf,
  NotFound,
  truncate,
  ValidationError,
} from '@heliograph/kit';
import type { Audit, AuditTrace } from '../../access/audit/audit.ts';
import { type Caller, READ_ONLY } from '../../access/caller.ts';
import { canonicalAddress } from '../../bus/address.ts';
import { type ConfigProblem, valuesIn } from '../../config/check.ts';
import type { DeviceConfig } from '../../config/config.ts';
import type { ConfigFile } from '../../config/config-file.ts';
import type { Drivers } from '../../config/connections.ts';
import { delegatedIn } from '../../config/delegations/delegated.ts';
import type { Delegations } from '../../config/delegations/delegations.ts';
import { type ConfigChange, editConfig } from '../../config/edit-config.ts';
import { configTextOf } from '../../config/last-working.ts';
import { BadConfigFile, settingsFrom } from '../../config/read-config-file.ts';
import { isSecretField } from '../../config/secret-fields.ts';
import { type DriverFamily, serialLineOf } from '../../drivers/driver.ts';
import { loadFamilies } from '../../drivers/families/families.ts';
import { transportsOf } from '../../drivers/transports.ts';
import { ownPorts } from '../probe/ports.ts';
import { loadRemoteScope } from '../probe/remote-scope.ts';
import { userOf } from '../probe/used-ports.ts';
import { changesOf } from './changes.ts';
import { presentFile } from './present.ts';
import { requireHousehold } from './require-household.ts';
import { requireReachable } from './require-reachable.ts';

/** All drivers, with the facts needed to connect hardware. */
function knownDrivers(drivers: Drivers): DriverDescription[] {
  return [...drivers.values()].map((family) => ({
    name: family.name,
    title: family.title,
    transports: [...transportsOf(family)],
    has_units: family.unaddressed !== true,
    usual_units: [...(family.probe?.units ?? [])],
    baud_rate: serialLineOf(family)?.baudRate ?? null,
    reads_meters: family.readsMeters === true,
    options: optionsOf(family),
  }));
}

/** The parts of an option's schema that are read here. */
interface OptionSchema {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly { readonly const?: string | number }[];
}

function optionsOf({ options }: DriverFamily): DriverOption[] {
  return Object.entries(options?.properties ?? {}).map(([name, schema]) => {
    const { description, type = '', enum: values, anyOf }: OptionSchema = schema;
    const choices = values ?? anyOf?.flatMap((choice) => choice.const ?? []) ?? [];
    const plain = isSecretField(name) ? 'secret' : 'text';
    const kind = choices.length > 0 ? 'choice' : (KINDS[type] ?? plain);
    return { name, description: description ?? null, type: kind, choices: [...choices] };
  });
}

const KINDS: Readonly<Record<string, DriverOption['type']>> = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
};

type Changes = DeviceAuditEntry['changes'];

/** Most fields and characters of a value that are kept. */
const MAX_FIELDS = 200;
const MAX_LENGTH = 512;

/** The differences between two configurations, by dotted path; of a secret only that it does. */
function configurationDiff(before: ConfigFile, after: ConfigFile): Changes {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  const fields = [...new Set([...old.keys(), ...now.keys()])];
  return fields
    .filter((field) => old.get(field) !== now.get(field))
    .slice(0, MAX_FIELDS)
    .map((field) => {
      if (isSecretField(field)) return { field, old_value: null, new_value: 'changed' };
      return { field, old_value: shown(old.get(field)), new_value: shown(now.get(field)) };
    });
}

function shown(value: string | undefined): string | null {
  return value === undefined ? null : truncate(value, MAX_LENGTH);
}

function leavesOf(value: unknown, path = '', leaves = new Map<string, string>()): Map<string, string> {
  if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value))
      leavesOf(part, path === '' ? name : `${path}.${name}`, leaves);
  } else if (value !== undefined) leaves.set(path, String(value));
  return leaves;
}

/** Starts the device again, within its process. */
export interface Restarts {
  /** Why what was to be started last could not be, so that it was taken back; null when it could. */
  readonly problem: string | null;
  /** Whether the device is about to start again. */
  readonly pending: boolean;
  /** Starts it again as soon as the client has the answer. @param reason for the log */
  soon(reason: string): void;
}

/** The configuration file of the running device, for pages that read and change it. */
export class EditableConfiguration {
  readonly #running: DeviceConfig;
  readonly #restarts: Restarts;
  readonly #audit: Audit;
  readonly #delegations: Delegations;

  /** @param running what the device was started with */
  constructor(running: DeviceConfig, restarts: Restarts, audit: Audit, delegations: Delegations) {
    this.#audit = audit;
    this.#running = running;
    this.#restarts = restarts;
    this.#delegations = delegations;
  }

  async get(): Promise<DeviceConfiguration> {
    // All of them, as for a change: their maps are needed only while hardware is being connected.
    const drivers = await loadFamilies({ configFile: this.#running.configFile });
    const { file, problem, source } = await this.#file(drivers);
    const ports = await ownPorts();
    return {
      ...presentFile(file),
      delegations: this.#delegations.list(file),
      drivers: knownDrivers(drivers),
      ports: ports.map((port) => ({
        bus: canonicalAddress(port),
        in_use_by: userOf(port, this.#running.connections),
      })),
      problem: problem ?? this.#restarts.problem,
      source,
      taking_effect: this.#restarts.pending,
    };
  }

  /** @throws ValidationError by dotted path; Forbidden to support; FileFailed. Then nothing changed */
  async change(requested: DeviceConfigurationChange, caller: Caller): Promise<DeviceConfiguration> {
    const reachable = caller.via === 'proxy' ? await loadRemoteScope() : undefined;
    return this.#edit(caller, (now) => {
      if (caller.recovery !== null) requireHousehold(now, requested);
      if (reachable !== undefined) requireReachable(now, requested, reachable);
      return changesOf(now, requested);
    });
  }

  /** Makes the caller the author of a suspended delegation. @throws NotFound unless it is; Forbidden; the store's error */
  async keepDelegation(id: string, caller: Caller): Promise<DeviceConfiguration> {
    if (!caller.mayWrite || caller.recovery !== null) throw new Forbidden(READ_ONLY);
    const { delegations } = await this.get();
    const delegation = delegations.find((one) => one.id === id && one.suspended !== null);
    if (delegation === undefined) throw new NotFound();
    const field = `delegations.${delegation.kind}`;
    const changes = [{ field, old_value: delegation.author, new_value: caller.name }];
    const trace = this.#audit.begin('configuration.change', caller, { changes });
    try {
      this.#delegations.keep(id, caller);
    } catch (error) {
      trace.end('failed');
      throw error;
    }
    trace.end('ok');
    return this.get();
  }

  /** Removes a delegation from the file. @throws NotFound; FileFailed */
  endDelegation(id: string, caller: Caller): Promise<DeviceConfiguration> {
    return this.#edit(caller, (now) => {
      const delegated = delegatedIn(now).find((one) => one.id === id);
      if (delegated === undefined) throw new NotFound();
      return [delegated.removal];
    });
  }

  async #edit(
    caller: Caller,
    changes: (now: ConfigFile) => readonly ConfigChange[],
  ): Promise<DeviceConfiguration> {
    const { configFile, configText, dataFolder } = this.#running;
    let trace: AuditTrace | undefined;
    const record = (before: ConfigFile, after: ConfigFile): void => {
      trace = this.#audit.begin('configuration.change', caller, {
        changes: configurationDiff(before, after),
      });
      // First, as the file without its record would be the household's.
      this.#delegations.record(before, after, caller);
    };
    try {
      const drivers = await loadFamilies({ configFile });
      await editConfig(configFile, changes, drivers, { dataFolder, beforeWrite: record });
      trace?.end('ok');
    } catch (error) {
      trace?.end('failed');
      if (error instanceof BadConfigFile) throw new ValidationError(byField(error.problems));
      throw error instanceof AppError ? error : new FileFailed(error);
    }
    const isChanged = (await configTextOf(configFile, dataFolder)) !== configText;
    // Reading drivers and ports takes long on a small computer: the restart waits for the answer alone.
    const answer = await this.get();
    if (!isChanged) return answer;
    this.#restarts.soon('the configuration was changed');
    return { ...answer, taking_effect: true };
  }

  /** The file's content; while that cannot be used, because it is being edited, the running configuration. */
  async #file(drivers: Drivers): Promise<ShownFile> {
    const { configFile, configText, dataFolder } = this.#running;
    try {
      const text = (await configTextOf(configFile, dataFolder)) ?? '';
      settingsFrom(text, configFile, drivers);
      return { file: valuesIn(text), problem: null, source: 'file' };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const source = configText === undefined ? 'nothing' : 'last_working';
      return { file: valuesIn(configText ?? ''), problem: error.message, source };
    }
  }
}

interface ShownFile extends Pick<DeviceConfiguration, 'problem' | 'source'> {
  readonly file: ConfigFile;
}

/** The file cannot be read or written. */
class FileFailed extends AppError {
  constructor(cause: unknown) {
    const message = `The configuration file cannot be changed: ${messageOf(cause)}`;
    super(message, { code: 'configuration_file', status: 503, expose: true, cause });
  }
}

/** `connections[0].bus` is `connections.0.bus` to pages; what is about the whole file is about `file`. */
function byField(problems: readonly ConfigProblem[]): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  for (const { field, message } of problems) {
    const name = field === '' ? 'file' : field.replaceAll(/\[(\d+)\]/g, '.$1');
    errors[name] = [...(errors[name] ?? []), message];
  }
  return errors;
}
