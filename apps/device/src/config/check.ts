import { schemaErrors, shown } from '../common/yaml/schema-errors.ts';
import {
  fieldOf,
  type Path,
  type SourcePosition,
  type YamlIssue,
  YamlSource,
} from '../common/yaml/source.ts';
import { isTimeZone } from '../energy/period.ts';
import { configuredRuleProblems } from './alert-rules/configured-rules.ts';
import { readCertificates } from './certificates.ts';
import { ConfigFile } from './config-file.ts';
import { checkConnection, type Drivers } from './connections.ts';
import { notificationIssues } from './notification-issues.ts';
import { type FileSettings, settingsOf } from './settings.ts';
import { type PlacedConnection, sharedBusIssues } from './shared-buses.ts';

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
