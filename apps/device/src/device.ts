import type { DeviceStoreLoss, WriteOutcome } from '@heliograph/contracts';
import {
  AddressList,
  type Clock,
  createLogger,
  isLoopback,
  type Logger,
  messageOf,
  projectVersion,
  type Running,
  standardError,
  systemClock,
  wait,
} from '@heliograph/kit';
import { levelOfFailures, RequestObserver, startSpanExport } from '@heliograph/telemetry';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { createAccess } from './access/access.ts';
import { Audit, DEVICE_ACTOR } from './access/audit/audit.ts';
import { SignInTrace } from './access/audit/sign-in-trace.ts';
import type { ScryptCost } from './admin/backup/backup-key.ts';
import { ConfigurationWatch } from './admin/configuration/configuration-watch.ts';
import type { Restarts } from './admin/configuration/editable-configuration.ts';
import { LogTail } from './admin/diagnostics/log-tail.ts';
import { DeviceMetrics } from './admin/monitoring/metrics.ts';
import { presentLoss } from './admin/monitoring/present-loss.ts';
import { deviceReadiness } from './admin/monitoring/readiness.ts';
import { DevicePages } from './admin/pages/device-pages.ts';
import { UpdateChoice } from './admin/update/update-choice.ts';
import { AlertStore } from './alerts/alert-store.ts';
import { AlertWatch } from './alerts/alert-watch.ts';
import { channelOf } from './alerts/notifications/channel.ts';
import { Notifier } from './alerts/notifications/notifier.ts';
import { presentAlert } from './alerts/present-alert.ts';
import { CloudAlerts } from './cloud/alerts/cloud-alerts.ts';
import { CloudHistory } from './cloud/history/cloud-history.ts';
import { newestValues } from './cloud/history/newest-values.ts';
import { deviceFacts } from './cloud/uplink/device-facts.ts';
import { Uplink } from './cloud/uplink/uplink.ts';
import { checkClock } from './common/check-clock.ts';
import { CloudProblems } from './common/cloud-problems.ts';
import { lanAddress } from './common/lan-address.ts';
import { startOfDay } from './common/local-time.ts';
import { PassedTime } from './common/passed-time.ts';
import { Registration } from './common/registration.ts';
import { SOFTWARE_VERSION } from './common/software-version.ts';
import { AlertRules } from './config/alert-rules/alert-rules.ts';
import { valuesIn } from './config/check.ts';
import type { DeviceConfig } from './config/config.ts';
import { DEFAULTS } from './config/config-file.ts';
import { offerExample } from './config/config-text.ts';
import { Delegations } from './config/delegations/delegations.ts';
import { loadFamilies } from './drivers/families/families.ts';
import { CounterSets } from './energy/counter-sets.ts';
import { backfillEnergy } from './energy/energy-backfill.ts';
import { EnergyHistory } from './energy/energy-history.ts';
import { EnergyMeter } from './energy/energy-meter.ts';
import { EnergyStore } from './energy/energy-store.ts';
import { firstDayOf } from './energy/period.ts';
import { energyCosts } from './energy/tariffs/energy-costs.ts';
import { TariffStore } from './energy/tariffs/tariff-store.ts';
import { countedEnergy } from './history/counted-energy.ts';
import { History } from './history/history.ts';
import { Collector } from './poll/collector.ts';
import { ConnectionPoller } from './poll/connection-poller.ts';
import { Connections } from './poll/connections.ts';
import { type KnownUnit, KnownUnits } from './poll/known-units.ts';
import { SameHardware } from './poll/same-hardware.ts';
import { SeenCounters } from './poll/seen-counters.ts';
import { silentConnections } from './poll/silent-connections.ts';
import { SnapshotPublisher, type SnapshotSource } from './poll/snapshot.ts';
import { SystemMetrics } from './poll/system-metrics.ts';
import { UnknownTotals } from './poll/unknown-totals.ts';
import { type DeviceApi, startDeviceApi } from './serve/api/device-api.ts';
import { Advertisement, isFindable } from './serve/discovery/advertisement.ts';
import { countedDays } from './serve/mcp/counted-days.ts';
import { recordedEnergy } from './serve/mcp/recorded-energy.ts';
import { storedBrokers } from './serve/mqtt/broker-records.ts';
import { HardwareSettings } from './settings/hardware-settings.ts';
import { recordedSettings } from './settings/recorded-settings.ts';
import { WriteFollowUp } from './settings/write-follow-up.ts';
import { AuditLog } from './storage/audit-log.ts';
import { FollowedWrites } from './storage/followed-writes.ts';
import { installationIn, storedInstallation } from './storage/installation.ts';
import { HOURS_REACHED } from './storage/store-loss.ts';
import { openDeviceStore, storeRetries } from './storage/temporary-store.ts';
import { WriteLog } from './storage/write-log.ts';

/** How long a start waits for the first poll before it goes on without, in milliseconds. */
const FIRST_POLL_WAIT_MS = 3_000;

/** How long a start waits for totals that the history gives back; they are unknown until then. In milliseconds. */
const BACKFILL_WAIT_MS = 20_000;

/** Setting with the last clock that was ahead. */
const CLOCK_LEAD_KEY = 'clock_lead';

const CLOCK_LEAD = Compile(Type.Object({ atMs: Type.Integer(), untilMs: Type.Integer() }));

export interface DeviceAddress {
  /** The API's URL on this machine. */
  readonly url: string;
  readonly uid: string;
}

export interface DeviceSurroundings {
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** The lines of the logger, for diagnostic bundles. */
  readonly logTail?: LogTail;
  /** Restarts the device; left out, its configuration cannot be changed from its pages. */
  readonly restarts?: Restarts | undefined;
  /** Why a start with the store failed: it is left alone, and one in memory takes its place. */
  readonly storeFailure?: string | undefined;
  /** Of keys of new backups; another one in tests alone. */
  readonly backupKeyCost?: ScryptCost | undefined;
}

/**
 * Starts the whole device: storage, polling, energy, settings, the local API and, where they are configured, mDNS,
 * MQTT and the uplink.
 * What was started is stopped in reverse, also when a later part cannot start.
 *
 * @throws ConfigError, or the system's error when the port is taken
 */
export async function startDevice(
  config: DeviceConfig,
  surroundings: DeviceSurroundings = {},
): Promise<Running<DeviceAddress>> {
  const { clock = systemClock, logTail = new LogTail(), restarts, backupKeyCost } = surroundings;
  const { logger = createLogger('device', undefined, logTail.before(standardError())) } = surroundings;
  const { dataFolder, host, cloudUrl, pollIntervalMs: intervalMs } = config;
  await using undo = new AsyncDisposableStack();

  const families = await loadFamilies({
    wanted: config.connections.map(({ driver }) => driver),
    configFile: config.configFile,
  });
  const connections = new Connections(config.connections, families, clock);
  const opened = await openDeviceStore(dataFolder, {
    canRestart: restarts !== undefined,
    storeFailure: surroundings.storeFailure,
    clock,
    logger,
  });
  const { problem: storeProblem, db, identity, settings: store, losses } = opened;
  undo.defer(() => opened.close());
  if (config.fileFault === null)
    await offerExample(config.configFile).catch((error: unknown) => {
      logger.warn({ reason: messageOf(error) }, 'no example of a configuration file could be written');
    });
  const { key, uid } = identity;
  const auditLog = new AuditLog(db);
  const audit = new Audit({ log: auditLog, clock, logger });
  const access = createAccess({ store, cloudUrl, watch: new SignInTrace(audit, clock), clock, logger });
  const delegations = new Delegations({
    running: valuesIn(config.configText ?? ''),
    store,
    site: access.site,
    // Without a cloud all authors are of the household.
    isStoreLost: cloudUrl !== undefined && losses.current?.settings === true,
    now: () => access.time.now(),
  });
  const updates = await UpdateChoice.open({
    dataFolder,
    configured: { channel: config.channel, automatic: config.automaticUpdates },
    hasCloud: cloudUrl !== undefined,
    logger,
  });
  const { initialPassword } = config;
  if (initialPassword !== undefined) {
    if (storeProblem !== null) access.password.assume(initialPassword);
    else if (await access.password.setIfNone(initialPassword)) audit.record('password.set', DEVICE_ACTOR);
  }
  const isItself = storeProblem === null || storeProblem.hasIdentity;

  const { maxSizeMb } = config.history;
  const counterSets = new CounterSets(db);
  const history = undo.use(
    new History({
      folder: dataFolder,
      maxSizeMb,
      pollIntervalMs: intervalMs,
      clock,
      logger,
      setsOf: (topic, fromMs, toMs) => counterSets.of(topic, fromMs, toMs),
      onLoss: (loss, cause) => attempt(() => losses.recordHistory(loss, cause, clock.now()), logger),
    }),
  );
  const passed = new PassedTime({
    releaseMs: Date.parse(SOFTWARE_VERSION),
    newestReading: (untilMs) => history.newest(untilMs),
    stored: store.json(CLOCK_LEAD_KEY, CLOCK_LEAD, null),
    store: (lead) => attempt(() => store.set(CLOCK_LEAD_KEY, JSON.stringify(lead)), logger),
  });
  checkClock(clock, passed.moments, logger);
  const recording =
    storeProblem === null
      ? history
      : {
          state: 'Stopped: the store of the device cannot be used',
          isRecording: false,
          counts: history.counts,
        };
  const system = new SystemMetrics({
    clock,
    dataFolder,
    siteId: () => access.site.id,
    softwareVersion: SOFTWARE_VERSION,
    history: () => recording.state,
  });
  await system.start();
  undo.defer(() => system.stop());

  const snapshots = new SnapshotPublisher();
  // Units may be numbered otherwise than the store has them.
  if (storeProblem === null) history.start(snapshots);
  else undo.use(storeRetries(storeProblem, dataFolder, (reason) => restarts?.soon(reason), logger));
  const units = new KnownUnits(store, connections.all);
  const pollers = connections.all.map(
    ({ url, role, open, bus }) =>
      new ConnectionPoller({
        url,
        role,
        open,
        traffic: bus.traffic,
        counters: new SeenCounters(store, url),
        intervalMs,
        clock,
        logger,
      }),
  );
  const energyStore = new EnergyStore(db);
  const { timeZone } = config;
  try {
    await energyStore.splitPeriod(timeZone, (topic, from) =>
      countedDays(history, topic, from, clock.now(), timeZone),
    );
  } catch (error) {
    logger.warn({ reason: messageOf(error) }, 'the energy of an earlier version stays on one day');
  }
  let areTotalsKnown = true;
  const energy = new EnergyMeter({
    store: energyStore,
    zone: config.timeZone,
    period: config.energyPeriod,
    isComplete: () => storeProblem === null && areTotalsKnown,
    onClockSet: ({ fromMs, toMs }) => passed.correct(fromMs, toMs),
    clock,
    logger,
  });
  const backfill = new AbortController();
  undo.defer(() => backfill.abort());
  const totalsSince = startOfDay(firstDayOf(energy.state.day, config.energyPeriod), timeZone);
  const isLost = losses.current !== null && !(Number(store.get(HOURS_REACHED)) <= totalsSince);
  const { promise: totalsFilled, resolve: fillTotals } = Promise.withResolvers<void>();
  const backfilled = backfillEnergy({
    read: (fromMs, toMs) => recordedEnergy(history, fromMs, toMs),
    meter: energy,
    store,
    zone: timeZone,
    since: () => history.since(),
    clock,
    logger,
    signal: backfill.signal,
    onReached: (fromMs) => {
      if (fromMs <= totalsSince) fillTotals();
    },
  });
  if (isLost) {
    // Totals that lost energy would rise by what the history gives back, which their readers take for energy.
    areTotalsKnown = false;
    const filled = Promise.race([totalsFilled, backfilled]).then(() => {
      areTotalsKnown = true;
    });
    await Promise.race([filled, wait(BACKFILL_WAIT_MS, backfill.signal)]);
  }
  const sameHardware = new SameHardware(logger);
  const unknownTotals = new UnknownTotals(logger, clock);
  const collector = new Collector({
    pollers,
    units,
    sameHardware,
    unknownTotals,
    energy,
    system,
    publisher: snapshots,
    intervalMs,
    clock,
    logger,
  });
  undo.defer(async () => {
    await Promise.all([collector.stop(), connections.close()]);
  });
  const tariffs = new TariffStore({ store, zone: timeZone, clock });
  const energyHistory = new EnergyHistory({
    store: energyStore.hours,
    recent: () => energy.recentHours,
    zone: timeZone,
    clock,
    costs: (history) => energyCosts(history, tariffs.tariffs, timeZone, clock.now()),
    counters: (fromMs, toMs) => countedEnergy(history, collector.counterTopics, fromMs, toMs),
  });
  const alertRules = new AlertRules({ store, configured: config.alertRules });
  const alerts = new AlertStore(db);
  const alertWatch = new AlertWatch({
    rules: alertRules,
    alerts,
    store,
    snapshots,
    hours: (fromMs, toMs) => energyHistory.hours(fromMs, toMs),
    storeLoss: () => losses.current && (losses.current.cause ?? 'damaged'),
    clockBehind: () => passed.isBehind(clock.now()),
    clock,
    logger,
  });
  const writes = new WriteLog(db);
  const onOutcome = (topic: string, outcome: WriteOutcome, value: string): void =>
    alertWatch.wrote(topic, outcome, value);
  const onAbandoned = (topic: string): void => alertWatch.forgetWrite(topic);
  const followUp = new WriteFollowUp({ snapshots, log: writes, clock, logger, onOutcome, onAbandoned });
  const followedWrites = new FollowedWrites(writes, followUp);
  // Before the rules of alerts, which a correction of a poll concerns.
  followUp.start();
  undo.defer(() => followUp.stop());
  const hardwareSettings = new HardwareSettings({
    snapshots,
    hardware: collector,
    writesPerDay: () => {
      const { perDay } = config.settingWrites;
      return delegations.suspended('setting_writes') === undefined
        ? perDay
        : Math.min(perDay, DEFAULTS.settingWritesPerDay);
    },
    refusal: ({ device, number }) => {
      const isOwner = ({ unit }: KnownUnit) => unit.kind === device && unit.number === number;
      const connection = config.connections.findIndex(({ url }) => units.of(url).some(isOwner));
      return delegations.suspended('connection', connection)?.message;
    },
    log: writes,
    followUp,
    clock,
    logger,
    onOutcome,
  });

  const settings = recordedSettings(hardwareSettings, (author, { topic, value, succeeded }) => {
    access.support.record(author, { kind: 'setting_written', subject: `${topic} = ${value}`, succeeded });
  });

  const storeLoss = (): DeviceStoreLoss | null =>
    losses.current && presentLoss(losses.current, energyStore.hours, timeZone);

  const pages = new DevicePages({
    storeLoss,
    config,
    uid,
    site: access.site,
    connections: connections.all,
    pollers,
    units,
    sameHardware,
    unknownTotals,
    snapshots,
    restarts,
    audit,
    delegations,
    privateKey: key.privateJwk.d ?? '',
    storeBytes: () => db.serialize(),
    store,
    key,
    writes: followedWrites,
    energy,
    logTail,
    backupKeyCost,
    clock,
    logger,
  });
  undo.defer(() => pages.stop());
  const spans = await startSpanExport(config.openTelemetry, logger);
  undo.defer(() => spans?.stop());
  const configuration = new ConfigurationWatch({ config, restarts, logger });
  configuration.start();
  undo.defer(() => configuration.stop());
  let served: DeviceApi | undefined;
  const watched = {
    connections: config.connections,
    pollers,
    snapshots,
    history: recording,
    store: () => ({ failure: storeProblem?.fault ?? energy.failure, loss: storeLoss() }),
    dataFolder,
    uplink: () => pages.uplink?.status,
    mqtt: () => pages.bridge?.status,
  };
  const metrics = new DeviceMetrics({ ...watched, streamClients: () => served?.streamClients ?? 0, clock });
  const monitoring = {
    observer: new RequestObserver({ logger, levelOf: levelOfFailures, metrics: metrics.requests, spans }),
    readiness: deviceReadiness({ ...watched, configuration }),
    metrics: () => metrics.text(),
    metricsFrom: new AddressList(config.metricsFrom),
  };
  const api = await startDeviceApi({
    host,
    port: config.port,
    uid,
    access,
    storeProblem,
    losses,
    snapshots,
    settings,
    writes: followedWrites,
    audit,
    auditLog,
    history,
    energy: energyHistory,
    tariffs,
    alerting: { rules: alertRules, alerts, watch: alertWatch },
    calendar: config,
    energyToday: () => energy.today(),
    pages,
    monitoring,
    clock,
    logger,
  });
  served = api;
  undo.defer(() => api.stop());
  pages.served(api.port);
  const address = `http://${lanAddress(host) ?? '127.0.0.1'}:${api.port}`;
  logger.info(
    // One of a store in memory ends with this run.
    {
      version: projectVersion(),
      release: SOFTWARE_VERSION,
      uid: isItself ? uid : null,
      cloud: cloudUrl ?? null,
    },
    storeProblem !== null
      ? `the device serves this home at ${address}, without its stored data: open it in a browser`
      : access.password.isSet
        ? `the device serves this home at ${address}`
        : `the device serves this home at ${address}: open it in a browser to set its password`,
  );
  // A store in memory knows nothing of what was, and its alerts end with it.
  if (storeProblem === null) {
    alertWatch.subscribe(({ rule, acknowledgedAt, clearedAt }) => {
      if (rule !== 'store_damaged' || losses.current === null) return;
      if (acknowledgedAt !== null && clearedAt === null) losses.dismiss();
    });
    alertWatch.start();
    undo.defer(() => alertWatch.stop());
  }
  for (const receiver of storeProblem === null ? config.notifications : []) {
    const notifier = new Notifier({
      receiver,
      channel: await channelOf(receiver),
      alerts,
      watch: alertWatch,
      store,
      title: () => access.site.name ?? 'Heliograph',
      clock,
      logger,
    });
    notifier.start();
    undo.defer(() => notifier.stop());
  }
  collector.start();
  await firstPoll(snapshots);
  const unitsNow = () =>
    config.connections.flatMap(({ url, driver: family }) =>
      units
        .of(url)
        .filter((known) => sameHardware.ownerOf(url, known) === null)
        .map(({ unit }) => ({ ...unit, family })),
    );

  if (config.mdns && isFindable(host) && isItself) {
    const advertisement = new Advertisement({ uid, host, port: api.port, snapshots, logger });
    advertisement.start();
    undo.defer(() => advertisement.stop());
  }
  if (isItself && (config.mqtt !== undefined || storedBrokers(store).length > 0)) {
    // Loaded where it is wanted only: the library takes megabytes.
    const [{ startMqtt }, { alertSensors }] = await Promise.all([
      import('./serve/mqtt/start-mqtt.ts'),
      import('./serve/mqtt/alert-sensors.ts'),
    ]);
    const mqtt = startMqtt({
      config: config.mqtt,
      uid,
      units: unitsNow,
      alerts: () => alertSensors(alertRules.all, alerts.open().map(presentAlert)),
      alertChanges: { alerts, watch: alertWatch },
      snapshots,
      settings,
      delegation: {
        author: () => delegations.authorOf('mqtt'),
        suspended: () => delegations.suspended('mqtt')?.message,
      },
      store,
      clock,
      logger,
    });
    pages.bridge = mqtt.bridge;
    undo.defer(() => mqtt.stop());
  }
  if (cloudUrl !== undefined && isItself) {
    const registration = new Registration();
    const problems = new CloudProblems();
    const uplink = new Uplink({
      cloudUrl,
      uid,
      key,
      installation: storeProblem === null ? installationIn(store, logger) : storedInstallation(store),
      region: config.region,
      facts: () =>
        deviceFacts({
          units: unitsNow(),
          silentSince: silentConnections(pollers, clock),
          beta: updates.settings.channel === 'beta',
          host,
          port: api.port,
        }),
      site: access.site,
      registration,
      problems,
      revocations: access.revocations,
      support: access.support,
      delegations,
      onUpdates: (ofSite) => void updates.learn(ofSite),
      store,
      onCloudReached: () => {
        access.time.confirm();
        // A cloud on this computer has the same clock.
        if (!isLoopback(new URL(cloudUrl).hostname)) passed.confirm(clock.now());
        void access.keys.refresh();
      },
      handler: api.tunnel,
      clock,
      logger,
    });
    uplink.start();
    pages.uplink = uplink;
    undo.defer(() => uplink.stop());
    if (storeProblem === null) {
      pages.startBackups(registration);
      const cloudHistory = new CloudHistory({
        access: { cloudUrl, uid, key },
        problems,
        registration,
        reads: {
          history: (request) => history.read(request),
          energy: (request, countedMs) => energyHistory.read(request, countedMs),
          since: () => Math.min(history.since() ?? Infinity, energyHistory.since() ?? Infinity),
          zone: timeZone,
        },
        newest: () => newestValues(snapshots.current, energy.today(), clock.now(), timeZone),
        store,
        clock,
        logger,
      });
      const cloudAlerts = new CloudAlerts({
        access: { cloudUrl, uid, key },
        problems,
        registration,
        alerts,
        watch: alertWatch,
        store,
        clock,
        logger,
      });
      cloudAlerts.start();
      undo.defer(() => cloudAlerts.stop());
      cloudHistory.start();
      undo.defer(() => cloudHistory.stop());
    }
  }

  const problem = restarts?.problem ?? null;
  if (problem !== null) audit.record('configuration.revert', DEVICE_ACTOR, { subject: problem });

  attempt(() => losses.started(), logger);

  const running = undo.move();
  return {
    facts: { url: api.url, uid },
    async stop() {
      await hardwareSettings.finish();
      await running.disposeAsync();
    },
  };
}

/** A fact that is found again soon may fail to be stored. */
function attempt(store: () => void, logger: Logger): void {
  try {
    store();
  } catch (error) {
    logger.debug({ reason: messageOf(error) }, 'a fact cannot be stored');
  }
}

/** Facts about the hardware are reported to the cloud when the uplink starts, so that they are worth a short wait. */
async function firstPoll(snapshots: SnapshotSource): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const unsubscribe = snapshots.subscribe(({ sequence }) => {
    if (sequence > 0) resolve();
  });
  const timer = setTimeout(resolve, FIRST_POLL_WAIT_MS);
  await promise;
  unsubscribe();
  clearTimeout(timer);
}
