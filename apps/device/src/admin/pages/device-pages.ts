import type { DeviceAbout, DeviceLinks, DeviceStoreLoss, MqttLink, UplinkLink } from '@heliograph/contracts';
import { AppError, type Clock, type Logger, messageOf } from '@heliograph/kit';
import type { SigningKey } from '@heliograph/wire';
import type { Audit } from '../../access/audit/audit.ts';
import type { Origin } from '../../access/caller.ts';
import type { RegisteredSite } from '../../access/registered-site.ts';
import { Receivers } from '../../alerts/notifications/receivers.ts';
import { deviceFacts, type FactsSource } from '../../cloud/uplink/device-facts.ts';
import type { Uplink, UplinkStatus } from '../../cloud/uplink/uplink.ts';
import type { Registration } from '../../common/registration.ts';
import type { DeviceConfig } from '../../config/config.ts';
import type { Delegations } from '../../config/delegations/delegations.ts';
import type { EnergyMeter } from '../../energy/energy-meter.ts';
import type { ConnectionPoller } from '../../poll/links/connection-poller.ts';
import type { Connection } from '../../poll/links/connections.ts';
import type { SnapshotSource } from '../../poll/snapshot.ts';
import type { UnknownTotals } from '../../poll/totals/unknown-totals.ts';
import type { KnownUnits } from '../../poll/units/known-units.ts';
import type { SameHardware } from '../../poll/units/same-hardware.ts';
import type {
  BackupOperations,
  BundleOptions,
  ClaimFacts,
  DiagnosticBundle,
  PageOperations,
} from '../../serve/api/pages/page-operations.ts';
import { storedBrokers } from '../../serve/mqtt/broker/broker-records.ts';
import type { MqttBridge, MqttStatus } from '../../serve/mqtt/mqtt-bridge.ts';
import type { FollowedWrites } from '../../storage/followed-writes.ts';
import type { KeyValueStore } from '../../storage/key-value.ts';
import { startNewStore } from '../../storage/salvage/salvage-store.ts';
import type { ScryptCost } from '../backup/backup-key.ts';
import { Backups } from '../backup/backups.ts';
import { CloudBackups } from '../backup/cloud-backups.ts';
import { EditableConfiguration, type Restarts } from '../configuration/editable-configuration.ts';
import { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { LogTail } from '../diagnostics/log-tail.ts';
import { Probes } from '../probe/probes.ts';
import { claimFacts } from './claim-facts.ts';
import { hardwareLinks } from './hardware-links.ts';

export interface DevicePagesOptions {
  readonly config: DeviceConfig;
  readonly uid: string;
  /** The private part of the device's key pair, which no diagnostic bundle may hold. */
  readonly privateKey: string;
  /** The whole store as bytes of its file, private key included. */
  readonly storeBytes: () => Uint8Array;
  /** The data that damage of the store cost; null without any. */
  readonly storeLoss: () => DeviceStoreLoss | null;
  readonly store: KeyValueStore;
  readonly key: SigningKey;
  readonly site: RegisteredSite;
  /** In the order of the configuration, as are the pollers. */
  readonly connections: readonly Connection[];
  readonly pollers: readonly ConnectionPoller[];
  readonly units: KnownUnits;
  readonly sameHardware: SameHardware;
  readonly unknownTotals: UnknownTotals;
  readonly snapshots: SnapshotSource;
  readonly restarts: Restarts | undefined;
  readonly audit: Audit;
  readonly delegations: Delegations;
  readonly writes: Pick<FollowedWrites, 'recent'>;
  readonly energy: Pick<EnergyMeter, 'state' | 'clockCorrections'>;
  readonly logTail: LogTail;
  /** Of keys of new backups; another one in tests alone. */
  readonly backupKeyCost: ScryptCost | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The operations behind the device's own pages, gathered from all of the device. */
export class DevicePages implements PageOperations {
  readonly probes: Probes;
  readonly receivers: Receivers;
  readonly backups: BackupOperations | undefined;
  readonly configuration: EditableConfiguration | undefined;
  readonly restart: PageOperations['restart'];
  readonly startStore: PageOperations['startStore'];
  /** Once it was started, as is the bridge. */
  uplink: Uplink | undefined;
  bridge: MqttBridge | undefined;
  readonly #options: DevicePagesOptions;
  readonly #diagnostics: Diagnostics;
  #cloudBackups: CloudBackups | undefined;
  #port = 0;

  constructor(options: DevicePagesOptions) {
    const { config, restarts, audit, clock } = options;
    this.#options = options;
    this.probes = new Probes({ used: config.connections, clock, audit });
    this.receivers = new Receivers(config.notifications, () => options.site.name ?? 'Heliograph');
    this.restart =
      restarts &&
      ((caller) => {
        audit.record('restart', caller);
        restarts.soon('a person restarts it');
      });
    this.#diagnostics = new Diagnostics({
      ...options,
      about: () => this.about(),
      claim: () => this.claim(),
      links: (via) => this.links(via),
      formerBrokers: () => storedBrokers(options.store),
    });
    this.startStore = restarts && (() => this.#startStore(restarts));
    this.backups = restarts && this.#backups(restarts);
    this.configuration = restarts && new EditableConfiguration(config, restarts, audit, options.delegations);
  }

  /** @param port where the API listens */
  served(port: number): void {
    this.#port = port;
  }

  about(): DeviceAbout {
    const { config, uid, site, storeLoss } = this.#options;
    return aboutDevice({
      storeLoss: storeLoss(),
      uid,
      config,
      site,
      beta: config.channel === 'beta',
      host: config.host,
      port: this.#port,
    });
  }

  claim(): ClaimFacts {
    const { config, uid, site } = this.#options;
    this.uplink?.hurry();
    return claimFacts({ uid, cloudUrl: config.cloudUrl, site, uplink: this.uplink });
  }

  links(via: Origin['via']): DeviceLinks {
    const { config, connections, pollers, units, sameHardware, unknownTotals, snapshots } = this.#options;
    const polled = config.connections.flatMap((one, index) => {
      const [connection, poller] = [connections[index], pollers[index]];
      return connection && poller ? [{ config: one, connection, poller }] : [];
    });
    const links = {
      connections: hardwareLinks(polled, { units, sameHardware, unknownTotals, snapshots }),
      uplink: this.uplink ? uplinkLink(this.uplink.status) : null,
      mqtt: this.bridge ? mqttLink(this.bridge.status) : null,
    };
    return via === 'proxy' ? redactLinks(links) : links;
  }

  diagnostics(options: BundleOptions): Promise<DiagnosticBundle> {
    return this.#diagnostics.bundle(options);
  }

  async #startStore(restarts: Restarts): Promise<void> {
    const { config, clock, logger } = this.#options;
    const loss = await startNewStore(config.dataFolder, clock).catch((error: unknown) => {
      throw new StoreStays(error);
    });
    logger.warn(
      loss,
      'the store that cannot be used is set aside: the device starts with a new one, which has all of it that can be read',
    );
    restarts.soon('it gets another store');
  }

  #backups(restarts: Restarts): BackupOperations {
    const { config, uid, key, site, store, storeBytes, backupKeyCost, clock, logger } = this.#options;
    const { dataFolder, configFile } = config;
    const source = { dataFolder, configFile, uid, siteName: () => site.name, store: storeBytes, clock };
    const backups = new Backups(source, backupKeyCost);
    const { cloudUrl } = config;
    const access = cloudUrl === undefined ? undefined : { cloudUrl, uid, key };
    this.#cloudBackups = new CloudBackups({
      ...{ source, store, access, clock, logger },
      keyCost: backupKeyCost,
    });
    return {
      cloud: this.#cloudBackups,
      async restoreFromCloud(code, author) {
        const restored = await backups.stageFromCloud(cloudUrl, code, author);
        restarts.soon('a backup is restored');
        return restored;
      },
      make: (request) => backups.make(request),
      upload: (offset, part) => backups.upload.write(offset, part),
      async restore(passphrase, author) {
        const restored = await backups.stage(passphrase, author);
        restarts.soon('a backup is restored');
        return restored;
      },
    };
  }

  /** Stores backups in the cloud from now on, where its owner wants them there. */
  startBackups(registration: Registration): void {
    this.#cloudBackups?.start(registration);
  }

  /** Ends a look for hardware that is under way. */
  async stop(): Promise<void> {
    await this.#cloudBackups?.stop();
    await this.probes.stop();
  }
}

class StoreStays extends AppError {
  constructor(cause: unknown) {
    const message = `The store cannot be set aside: ${messageOf(cause)}`;
    super(message, { code: 'store_stays', status: 503, expose: true, cause });
  }
}

const UNREACHED = 'It does not answer as it should; on the network of the home this page says why';

/**
 * The links as callers from outside the home see them: whether each works. The reasons would reveal what else
 * there is at an address.
 */
function redactLinks({ connections, uplink, mqtt }: DeviceLinks): DeviceLinks {
  return {
    connections: connections.map((link) => ({ ...link, error: link.error === null ? null : UNREACHED })),
    uplink,
    mqtt: mqtt && { ...mqtt, reason: mqtt.reason === null ? null : UNREACHED },
  };
}

/** How the way through the proxy does. */
function uplinkLink({ state, proxy, since, reason }: UplinkStatus): UplinkLink {
  return { state, proxy, since: new Date(since).toISOString(), reason };
}

/** How the broker of the home does. */
function mqttLink({ state, since, reason }: MqttStatus): MqttLink {
  return { state, since: new Date(since).toISOString(), reason };
}

interface AboutSource extends Omit<FactsSource, 'units' | 'silentSince'> {
  readonly uid: string;
  readonly config: Pick<DeviceConfig, 'timeZone' | 'energyPeriod'>;
  readonly site: RegisteredSite;
  readonly storeLoss: DeviceStoreLoss | null;
}

/** Identity and settings of this device, for the head of its pages. */
function aboutDevice({ uid, config, site, storeLoss, ...source }: AboutSource): DeviceAbout {
  const { version, build_date, arch, board, local_ip } = deviceFacts({
    ...source,
    units: [],
    silentSince: [],
  });
  return {
    uid,
    version,
    build_date,
    arch,
    board,
    local_ip,
    time_zone: config.timeZone,
    energy_period: config.energyPeriod,
    site_id: site.id,
    site_name: site.name,
    store_loss: storeLoss,
  };
}
