import { canonicalAddress } from '../bus/address.ts';
import { schemaErrors, shown } from '../common/yaml/schema-errors.ts';
import {
  fieldOf,
  type Path,
  type SourcePosition,
  type YamlIssue,
  YamlSource,
} from '../common/yaml/source.ts';
import { type DriverFamily, serialLineOf } from '../drivers/driver.ts';
import { isTimeZone } from '../energy/period.ts';
import { configuredRuleProblems } from './alert-rules/configured-rules.ts';
import { readCertificates } from './certificates.ts';
import { ConfigFile } from './config-file.ts';
import type { ConnectionConfig } from './connection-config.ts';
import { checkConnection, type Drivers } from './connections.ts';
import { notificationIssues } from './notification-issues.ts';
import { type FileSettings, settingsOf } from './settings.ts';

/** One thing that is wrong with a configuration file. */
export interface ConfigProblem extends SourcePosition {
  /** Such as `connections[1].driver`; empty for what is about the whole file or its layout. */
  readonly field: string;
  /** In plain words, to be read after the field's name. */
  readonly message: string;
}

export type Checked = { readonly settings: FileSettings } | { readonly problems: readonly ConfigProblem[] };

/** Checks a whole configuration file: the result is its settings, or every problem in it. */
export function checkConfig(text: string, drivers: Drivers): Checked {
  const source = new YamlSource(text);
  if (source.yamlErrors.length > 0)
    return { problems: source.yamlErrors.map((flaw) => ({ ...flaw, field: '' })) };
  const { value } = source;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const message = `the file must hold names with values, such as "poll_interval_s: 2", not ${shown(value)}`;
    return { problems: [{ line: 1, column: 1, field: '', message }] };
  }
  const file = value as ConfigFile;
  const { complaints, connections, certificates } = checkValues(
    file,
    schemaErrors(ConfigFile, value),
    drivers,
  );
  if (complaints.length === 0) return { settings: settingsOf(file, connections, certificates) };
  const problems = complaints.map((complaint) => ({
    ...source.positionOf(complaint),
    field: fieldOf(complaint.path),
    message: complaint.message,
  }));
  return { problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column) };
}

/** The values of a configuration file as written, unchecked. */
export function valuesIn(text: string): ConfigFile {
  return (new YamlSource(text).value ?? {}) as ConfigFile;
}

/** Rules beyond the schema. Values that break the schema are not checked again. */
function checkValues(file: ConfigFile, broken: readonly YamlIssue[], drivers: Drivers) {
  const isSound = (...place: Path): boolean =>
    !broken.some(
      ({ path, aboutName }) => !aboutName && place.every((step, at) => (path[at] ?? step) === step),
    );
  const complaints = [...broken];
  const { time_zone: zone, mqtt, connections = [] } = file;
  if (zone !== undefined && isSound('time_zone')) complaints.push(...zoneIssues(zone));
  if (mqtt?.url !== undefined && isSound('mqtt', 'url')) complaints.push(...brokerIssues(mqtt.url));
  const certificates = new Map<string, string>();
  const readFrom = (file: string | undefined, path: Path): void => {
    if (file === undefined || !isSound(...path)) return;
    const read = readCertificates(file);
    if ('pem' in read) certificates.set(file, read.pem);
    else complaints.push({ path, message: read.complaint });
  };
  readFrom(mqtt?.ca_file, ['mqtt', 'ca_file']);
  if (file.alert_rules !== undefined && isSound('alert_rules')) {
    const problems = configuredRuleProblems(file.alert_rules);
    complaints.push(
      ...problems.map(({ index, field, message }) => ({
        path: ['alert_rules', index, ...(field === '' ? [] : [field])],
        message,
      })),
    );
  }

  if (file.notifications !== undefined && isSound('notifications'))
    complaints.push(...notificationIssues(file.notifications));
  if (Array.isArray(file.notifications))
    for (const [index, entry] of file.notifications.entries())
      readFrom(entry?.ca_file, ['notifications', index, 'ca_file']);

  const placed: PlacedConnection[] = [];
  for (const [index, entry] of Array.isArray(connections) ? connections.entries() : []) {
    const sound = Object.entries(Object(entry)).filter(([name]) => isSound('connections', index, name));
    const checked = checkConnection(Object.fromEntries(sound), index, drivers);
    if ('complaints' in checked) complaints.push(...checked.complaints);
    else placed.push({ index, ...checked });
  }
  complaints.push(...sharedBusIssues(placed));
  return { complaints, connections: placed.map(({ connection }) => connection), certificates };
}

function zoneIssues(zone: string): readonly YamlIssue[] {
  if (isTimeZone(zone)) return [];
  return [{ path: ['time_zone'], message: `must be a time zone such as Europe/Berlin, not "${zone}"` }];
}

/** MQTT as it is, over TLS, and each over WebSockets. */
const BROKER_PROTOCOLS: readonly string[] = ['mqtt:', 'mqtts:', 'ws:', 'wss:'];

function brokerIssues(text: string): readonly YamlIssue[] {
  const path = ['mqtt', 'url'];
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !BROKER_PROTOCOLS.includes(url.protocol) || url.hostname === '') {
    const kinds = BROKER_PROTOCOLS.map((protocol) => `${protocol}//`).join(', ');
    const message = `must be a broker such as mqtt://192.168.1.5:1883 (${kinds}), not ${shown(text)}`;
    return [{ path, message }];
  }
  if (url.username === '' && url.password === '') return [];
  return [{ path, message: 'must not name a user: "username" and "password" do, below it' }];
}

/** A connection that is right in itself, and where in the file it stands. */
interface PlacedConnection {
  readonly index: number;
  readonly connection: ConnectionConfig;
  readonly family: DriverFamily;
}

/** Conflicts between connections: hardware that is configured twice, a line or a timeout that is set in two ways. */
function sharedBusIssues(placed: readonly PlacedConnection[]): readonly YamlIssue[] {
  return placed.flatMap((one, position) => {
    for (const earlier of placed.slice(0, position)) {
      const complaint = conflictOf(one, earlier);
      if (complaint !== undefined) return [complaint];
    }
    return [];
  });
}

function conflictOf(one: PlacedConnection, earlier: PlacedConnection): YamlIssue | undefined {
  const path = ['connections', one.index];
  const first = `connections[${earlier.index}]`;
  const { address, unit } = one.connection;
  const other = earlier.connection;
  if ('path' in address && 'path' in other.address && address.path === other.address.path) {
    if (lineOf(one) !== lineOf(earlier)) {
      const message = `${address.path} is used by ${first} already, and set otherwise there: a port has one setting`;
      return { path: [...path, 'bus'], message };
    }
  } else if (canonicalAddress(address) !== canonicalAddress(other.address)) {
    return undefined;
  }
  if (one.connection.answerTimeoutMs !== other.answerTimeoutMs) {
    const message = `this bus is used by ${first} too, which has another: a bus has one time for answers`;
    return { path: [...path, 'answer_timeout_s'], message };
  }
  if (unit !== undefined && unit === other.unit) {
    return { path: [...path, 'unit'], message: `unit ${unit} of this bus is there already, as ${first}` };
  }
  const unaddressed = [one, earlier].find(({ family }) => family.unaddressed)?.family;
  if (unaddressed !== undefined) {
    const message = `this bus is used by ${first} too, and hardware of ${unaddressed.name} has a line to itself`;
    return { path: [...path, 'bus'], message };
  }
  if (unit === undefined || other.unit === undefined) {
    const message = `this bus is used by ${first} too: each of them must say its "unit"`;
    return { path: [...path, unit === undefined ? 'unit' : 'bus'], message };
  }
  return undefined;
}

/** The whole setting of a port: from the address, else the family's default. */
function lineOf({ connection: { address }, family }: PlacedConnection): string {
  if (!('path' in address) || address.transport === 'hid') return address.transport;
  const { transport, baudRate, parity, stopBits } = { ...serialLineOf(family), ...address };
  return JSON.stringify([transport, baudRate, parity, stopBits]);
}
