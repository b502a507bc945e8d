import type { Step } from '../step.ts';
import { agent } from './agent.ts';
import { alertCleared, alertRaised } from './alert.ts';
import { backup } from './backup.ts';
import { clients } from './clients.ts';
import { cloudDump } from './cloud-dump.ts';
import { cloudRecovery } from './cloud-recovery.ts';
import { dayEnd } from './day-end.ts';
import { dataExport } from './export.ts';
import { mqtt } from './mqtt.ts';
import { order } from './order.ts';
import { restart } from './restart.ts';
import { revokedToken } from './revoked-token.ts';
import { supportSession } from './support-session.ts';
import { ticket } from './ticket.ts';

/** In their order: each leaves the system running for the next. The last one moves the clock by days. */
export const steps: readonly Step[] = [
  clients,
  mqtt,
  alertRaised,
  agent,
  revokedToken,
  supportSession,
  order,
  ticket,
  dataExport,
  alertCleared,
  restart,
  backup,
  cloudRecovery,
  cloudDump,
  dayEnd,
];
