import { isIP } from 'node:net';
import { isLoopback, type Logger } from '@heliograph/kit';
import type { CiaoService, Responder } from '@homebridge/ciao';
import type { Snapshot, SnapshotSource } from '../../poll/snapshot.ts';

/** The service that existing clients look for: `_solar-assistant._tcp.local.` */
const SERVICE_TYPE = 'solar-assistant';

/** Answers as `heliograph.local`; with a second device in the home that one becomes `heliograph-(2)`. */
const HOST_NAME = 'heliograph';

const SITE_ID_TOPIC = 'system/site_id';

/** A prefix of the uid that distinguishes a home's devices. */
const NAME_UID_LENGTH = 6;

export interface AdvertisementOptions {
  readonly uid: string;
  /** The address that the API listens on: `0.0.0.0`, `::`, or the one to be found under. */
  readonly host: string;
  readonly port: number;
  /** The source of the site that the device is registered as, once it is. */
  readonly snapshots: SnapshotSource;
  readonly logger: Logger;
}

/** Lets clients on the local network find the device: its address, its port, and the site it is registered as. */
export class Advertisement {
  readonly #options: AdvertisementOptions;
  #running: Promise<() => Promise<void>> | undefined;

  constructor(options: AdvertisementOptions) {
    this.#options = options;
  }

  /** Begins; a second passes before the name is known to be free. A device that cannot be found works all the same. */
  start(): void {
    this.#running ??= this.#advertise().catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, 'not announced on the local network');
      return async () => {};
    });
  }

  /** Sends a goodbye, so that clients stop showing the device. */
  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    const end = await running;
    await end?.();
  }

  async #advertise(): Promise<() => Promise<void>> {
    const { uid, host, port, snapshots, logger } = this.#options;
    const { getResponder } = await loadCiao();
    const responder = getResponder(isAnyAddress(host) ? {} : { interface: host });
    const txt = txtOf(snapshots.current);
    const service = responder.createService({
      name: `Heliograph ${uid.slice(0, NAME_UID_LENGTH)}`,
      type: SERVICE_TYPE,
      hostname: HOST_NAME,
      port,
      txt,
      // An API that listens on IPv4 alone must not be sought by IPv6.
      disabledIpv6: isIP(host) === 4,
    });
    service.on('name-change', (name) => logger.info({ name }, 'announced under another name: it was taken'));
    const advertised = this.#follow(service, txt);
    return () => end(responder, advertised);
  }

  /** Keeps the TXT record up to date. @returns what ends that, once the name is claimed or cannot be */
  #follow(service: CiaoService, first: Txt): () => Promise<void> {
    const { snapshots, logger } = this.#options;
    let shown = first;
    let unsubscribe = () => {};
    const show = (snapshot: Snapshot) => {
      const txt = txtOf(snapshot);
      if (txt.site_id === shown.site_id) return;
      shown = txt;
      service.updateTxt(txt);
    };
    const claimed = service.advertise().then(
      () => {
        // While the name is being claimed, a changed record would be lost.
        show(snapshots.current);
        unsubscribe = snapshots.subscribe(show);
      },
      (error: unknown) => logger.warn({ err: error }, 'not announced on the local network'),
    );
    return () => claimed.then(() => unsubscribe());
  }
}

/** Empty until the device is registered: a client that wants a known site then has nothing to match. */
type Txt = { readonly site_id?: string };

function txtOf(snapshot: Snapshot): Txt {
  const siteId = snapshot.samples.get(SITE_ID_TOPIC)?.value ?? null;
  return siteId === null ? {} : { site_id: String(siteId) };
}

async function end(responder: Responder, unfollow: () => Promise<void>): Promise<void> {
  // A responder that is shut down before it claimed its name leaves sockets open, and the process does not end.
  await unfollow();
  await responder.shutdown();
}

/** A host name may stand for several addresses; then the device is announced under all that it has. */
function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || isIP(host) === 0;
}

/** Whether others on the network could reach an API that listens there. */
export function isFindable(host: string): boolean {
  return !isLoopback(host);
}

/**
 * Loads the mDNS library, which only a device on a network needs. It brings hooks for its own source maps, into how
 * stack traces are made and how an uncaught error ends the process: those stay as they were.
 */
async function loadCiao(): Promise<typeof import('@homebridge/ciao')> {
  const { prepareStackTrace } = Error;
  const emit = Object.getOwnPropertyDescriptor(process, 'emit');
  try {
    return await import('@homebridge/ciao');
  } finally {
    if (prepareStackTrace === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
    else Error.prepareStackTrace = prepareStackTrace;
    Reflect.deleteProperty(process, 'emit');
    if (emit !== undefined) Object.defineProperty(process, 'emit', emit);
  }
}
