import { openPty, rtuUnits, serveLine } from '@heliograph/dev-env/serial';
import { systemClock } from '@heliograph/kit';
import { openModbusBus } from './open-bus.ts';
const LINE = { baudRate: 9_600, parity: 'none', stopBits: 1 } as const;
const bank = { readRange: (u: number, _a: number, c: number) => new Array<number>(c).fill(u), write: () => {} };
const good = openPty(); rtuUnits(bank, [1])(good.line);
const dead = openPty();
const served = await serveLine(rtuUnits(bank, [1]));
const tcp = openModbusBus({ transport: 'modbus-rtu-tcp', host: served.host, port: served.port }, LINE, systemClock);
const a = openModbusBus({ transport: 'modbus-rtu', path: good.path }, LINE, systemClock);
const b = openModbusBus({ transport: 'modbus-rtu', path: dead.path }, LINE, systemClock);
async function time(bus: typeof a, n = 200) { const t: number[] = []; for (let i = 0; i < n; i++) { const s = performance.now(); await bus.read(1, i, 60); t.push(performance.now() - s); } t.sort((x, y) => x - y); return `median ${t[n >> 1]?.toFixed(2)} ms, p99 ${t[Math.floor(n * 0.99)]?.toFixed(2)} ms`; }
await a.read(1, 0, 1);
console.log('alone      ', await time(a)); console.log('gateway    ', await time(tcp));
let stop = false; const dying = (async () => { while (!stop) await b.read(1, 0, 1).catch(() => {}); })();
console.log('beside dead', await time(a)); stop = true;
const cpu = process.cpuUsage(); const t0 = performance.now();
while (performance.now() - t0 < 5000) { await a.read(1, 0, 60); await a.read(1, 60, 60); await new Promise((r) => setTimeout(r, 1000)); }
const used = process.cpuUsage(cpu); console.log('two block reads a second: cpu %', ((used.user + used.system) / 1000 / (performance.now() - t0) * 100).toFixed(2));
await b.close(); await dying; await a.close(); await tcp.close(); good.close(); dead.close(); await served.stop();
