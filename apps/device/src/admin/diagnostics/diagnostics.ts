import type { DeviceAbout, DeviceLinks } from '@heliograph/contracts';
import { AppError, type Clock, type Logger } from '@heliograph/kit';
import { DAY_MS } from '../../common/local-time.ts';
import type { DeviceConfig } from '../../config/config.ts';
import { kiloWattHours } from '../../energy/energy-amount.ts';
import type { EnergyMeter } from '../../energy/energy-meter.ts';
import type { EnergyState } from '../../energy/ledger.ts';
import type { EnergyPeriod } from '../../energy/period.ts';
import type { Connection } from '../../poll/links/connections.ts';
import type { SnapshotSource } from '../../poll/snapshot.ts';
import type { BundleOptions, ClaimFacts, DiagnosticBundle } from '../../serve/api/pages/page-operations.ts';
import type { FollowedWrite, FollowedWrites } from '../../storage/followed-writes.ts';
import { type BundlePart, makeFiles, manifestOf, zipOf } from './bundle.ts';
import { identities, type KnownValuesSource, knownValues } from './known-values.ts';
import type { LogTail } from './log-tail.ts';
import { presentAddress, presentConfiguration } from './present-configuration.ts';
import { presentDevice } from './present-device.ts';
import { presentFrames } from './present-frames.ts';
import { presentLinks } from './present-links.ts';
import { presentLog } from './present-log.ts';
import { presentMetrics } from './present-metrics.ts';
import { presentNetwork } from './present-network.ts';
import { Pseudonyms } from './pseudonyms.ts';
import { type KnownValues, Redactor } from './redactor.ts';

/** The README of a bundle. */
const README = `Diagnostic bundle of a Heliograph device

Made on the device, on request. The device has not sent it anywhere: you decide who
gets this file. It can be attached to a support ticket in the portal.

Files
  manifest.json       version, time, each file with its SHA-256, and what was left out and why
  device.json         software, board, uptime, clock and its corrections, disk, memory
  configuration.json  the configuration that the device runs with
  links.json          connections to hardware, proxy and MQTT broker, and their errors
  metrics.json        present values, with their ages in seconds
  settings-log.json   the last 500 writes of settings
  energy.json         counted energy by day
  network.json        kinds of network interfaces, and whether cloud and proxy are reached
  log.txt             the log of the last 24 hours, since the device was last started, at most 2 MiB
  frames.json         only on request: the last requests to the hardware, and its answers

What was removed
  The JSON files have only fields from fixed lists. Passwords, tokens, keys, names of users of the
  MQTT broker, e-mail addresses, coordinates and public addresses are not among them. Serial
  numbers, the device's ID and MAC addresses are pseudonyms, such as serial-1: the same within
  this bundle, and of no meaning outside it. Each text passes a second time through known
  secrets and patterns. A file of which this failed is left out, and named in the manifest.

What redaction cannot do
  - Messages in log.txt come from many programs. A secret in an unexpected form, or one
    that the device does not know, may still be there. Read it before you pass it on.
  - Energy, times of use and settings show how a home lives: when it sleeps, when it is away.
  - Private addresses (192.168.x.x) and names on the network of the home are kept.
  - frames.json has bytes as they went over the wire. Serial numbers that the device knows are
    masked (**), but hardware may send others, in forms of its own.
  - A number of a version that looks like a public address is removed too.
`;

/** The newest writes of settings that go along. */
const SETTING_WRITES = 500;

/** Each takes up to 10 MiB until its client has it. */
const MAX_OPEN_BUNDLES = 2;

export interface DiagnosticsOptions {
  readonly config: DeviceConfig;
  readonly uid: string;
  readonly privateKey: string;
  /** In the order of the configuration. */
  readonly connections: readonly Connection[];
  readonly snapshots: SnapshotSource;
  readonly writes: Pick<FollowedWrites, 'recent'>;
  readonly energy: Pick<EnergyMeter, 'state' | 'clockCorrections'>;
  readonly logTail: LogTail;
  readonly about: () => DeviceAbout;
  readonly claim: () => ClaimFacts;
  readonly links: (via: BundleOptions['via']) => DeviceLinks;
  readonly formerBrokers: () => KnownValuesSource['formerBrokers'];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Other bundles have not been fetched yet. */
class TooManyBundles extends AppError {
  constructor() {
    super('Other diagnostic bundles are being fetched: try again when they are', {
      code: 'busy',
      status: 503,
      expose: true,
    });
  }
}

/** Makes diagnostic bundles, which leave the device only in the answer to who asked for them. */
export class Diagnostics {
  readonly #options: DiagnosticsOptions;
  /** A unit that does not answer has none in the snapshot, while the log may repeat it. */
  readonly #serialNumbers = new Set<string>();
  #open = 0;

  constructor(options: DiagnosticsOptions) {
    this.#options = options;
    options.snapshots.subscribe((snapshot) => {
      for (const serial of identities(snapshot)) this.#serialNumbers.add(serial);
    });
  }

  /** @throws TooManyBundles */
  async bundle(options: BundleOptions): Promise<DiagnosticBundle> {
    if (this.#open >= MAX_OPEN_BUNDLES) throw new TooManyBundles();
    this.#open += 1;
    try {
      const { clock, about, logger } = this.#options;
      const madeAt = new Date(clock.now());
      const { version, site_name: siteName } = about();
      const known = this.#knownValues();
      const redactor = new Redactor(known, new Pseudonyms());
      const content = await makeFiles(this.#parts(options, redactor, known), redactor, logger);
      const leftOut = [...content.leftOut, ...(options.frames ? [] : [NO_FRAMES])];
      const manifest = manifestOf(version, madeAt, { files: content.files, leftOut });
      const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
      const zip = zipOf([{ name: 'manifest.json', bytes }, ...content.files], madeAt);
      zip.once('close', () => {
        this.#open -= 1;
      });
      return { fileName: fileNameOf(siteName, madeAt), zip };
    } catch (error) {
      this.#open -= 1;
      throw error;
    }
  }

  #knownValues(): KnownValues {
    const { config, uid, privateKey, snapshots, formerBrokers } = this.#options;
    return knownValues({
      config,
      formerBrokers: formerBrokers(),
      uid,
      privateKey,
      serialNumbers: new Set([...this.#serialNumbers, ...identities(snapshots.current)]),
    });
  }

  #parts({ via, frames }: BundleOptions, { pseudonyms }: Redactor, known: KnownValues): BundlePart[] {
    const { config, connections, snapshots, writes, energy, logTail, about, claim, links, clock } =
      this.#options;
    const { dataFolder } = config;
    const parts: BundlePart[] = [
      { name: 'README.txt', make: () => README },
      {
        name: 'device.json',
        make: () => {
          const corrections = energy.clockCorrections;
          return presentDevice({ about: about(), dataFolder, corrections, clock }, pseudonyms);
        },
      },
      { name: 'configuration.json', make: () => presentConfiguration(config, pseudonyms) },
      { name: 'links.json', make: () => presentLinks(links(via), pseudonyms) },
      { name: 'metrics.json', make: () => presentMetrics(snapshots.current, clock.now(), pseudonyms) },
      { name: 'settings-log.json', make: () => presentSettingsLog(writes.recent(SETTING_WRITES)) },
      { name: 'energy.json', make: () => presentEnergy(energy.state, config.energyPeriod) },
      { name: 'network.json', make: () => presentNetwork(claim().state, links(via).uplink) },
      { name: 'log.txt', make: () => presentLog(logTail.lines, clock.now(), via) },
    ];
    if (!frames) return parts;
    const identifiers = known.identifiers.map(({ value }) => value);
    const make = () =>
      config.connections.map(({ address }, index) => ({
        bus: presentAddress(address, pseudonyms),
        frames: presentFrames(connections[index]?.bus.traffic.lastFrames ?? [], identifiers),
      }));
    return [...parts, { name: 'frames.json', make }];
  }
}

const NO_FRAMES = { name: 'frames.json', reason: 'it was not asked for' };

/** Such as `diagnostics-lake-house-20261123T210700Z.zip`. */
function fileNameOf(siteName: string | null, madeAt: Date): string {
  const site = (siteName ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const time = madeAt.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `diagnostics-${site === '' ? 'device' : site}-${time}.zip`;
}

/** The ledger: the energy of each day by its counters, in kWh. */
function presentEnergy({ zone, day, days }: EnergyState, period: EnergyPeriod): object {
  return {
    time_zone: zone,
    period,
    day: dateOf(day),
    days: [...days].map(([each, energy]) => ({
      date: dateOf(each),
      kwh: Object.fromEntries(
        Object.entries(energy).map(([counter, amount]) => [counter, kiloWattHours(amount)]),
      ),
    })),
  };
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** Writes of settings; who wrote is an account's number, `local` or `MQTT`. */
function presentSettingsLog(entries: readonly FollowedWrite[]): object[] {
  return entries.map(({ id, at, author, via, topic, oldValue, newValue, outcome, reason, ...later }) => ({
    id,
    at: new Date(at).toISOString(),
    // That of MQTT goes on with the address of the broker.
    author: /^(?:local|user \d+|MQTT)(?= |$)/.exec(author)?.[0] ?? 'other',
    via,
    topic,
    old_value: oldValue,
    new_value: newValue,
    outcome,
    reason,
    settled_at: later.settledAt === null ? null : new Date(later.settledAt).toISOString(),
    pending: later.isOpen,
    settles_by: later.settlesBy,
    also_changed: later.alsoChanged.map((other) => ({
      topic: other.topic,
      old_value: other.oldValue,
      new_value: other.newValue,
    })),
  }));
}
