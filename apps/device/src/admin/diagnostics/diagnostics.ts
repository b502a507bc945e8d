import type { DeviceAbout, DeviceLinks } from '@heliograph/contracts';
import { AppError, type Clock, type Logger } from '@heliograph/kit';
import type { DeviceConfig } from '../../config/config.ts';
import type { EnergyMeter } from '../../energy/energy-meter.ts';
import type { Connection } from '../../poll/connections.ts';
import type { SnapshotSource } from '../../poll/snapshot.ts';
import type { BundleOptions, ClaimFacts, DiagnosticBundle } from '../../serve/api/page-operations.ts';
import type { FollowedWrites } from '../../storage/followed-writes.ts';
import { type BundlePart, makeFiles, manifestOf, zipOf } from './bundle.ts';
import { identities, type KnownValuesSource, knownValues } from './known-values.ts';
import type { LogTail } from './log-tail.ts';
import { presentAddress, presentConfiguration } from './present-configuration.ts';
import { presentDevice } from './present-device.ts';
import { presentEnergy } from './present-energy.ts';
import { presentFrames } from './present-frames.ts';
import { presentLinks } from './present-links.ts';
import { presentLog } from './present-log.ts';
import { presentMetrics } from './present-metrics.ts';
import { presentNetwork } from './present-network.ts';
import { presentSettingsLog } from './present-settings-log.ts';
import { Pseudonyms } from './pseudonyms.ts';
import { README } from './readme.ts';
import { type KnownValues, Redactor } from './redactor.ts';

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
