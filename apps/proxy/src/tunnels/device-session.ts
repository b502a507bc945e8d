import { TUNNEL_MOVE_SIGNAL, type TunnelTicket } from '@heliograph/wire';
import type { Link } from '../links/link.ts';

/** Requests that a device takes at a time. The limits of each site are lower, unless they are configured otherwise. */
const MAX_REQUESTS_PER_DEVICE = 10_000;

/** One connected device. */
export class DeviceSession {
  /** The verified tunnel token of the device. */
  readonly ticket: TunnelTicket;
  readonly link: Link;

  constructor(ticket: TunnelTicket, link: Link) {
    this.ticket = ticket;
    this.link = link;
  }

  get uid(): string {
    return this.ticket.uid;
  }

  get siteId(): number {
    return this.ticket.siteId;
  }

  get isSaturated(): boolean {
    return this.link.isCongested || this.link.openRequests >= MAX_REQUESTS_PER_DEVICE;
  }

  /** Asks the device to dial another proxy; until it has, it goes on here. */
  requestMove(): void {
    this.link.signal(TUNNEL_MOVE_SIGNAL);
  }

  /** Lets the device see whether it knows what was revoked of its site. @param signal of `Revocations` */
  sendRevocations(signal: Buffer | undefined): void {
    if (signal !== undefined) this.link.signal(signal);
  }
}
