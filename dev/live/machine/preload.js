/**
 * The machine of a live run, as the programs of the system find it. `NODE_OPTIONS` loads this file before each of them, and
 * none of them knows it. Its clocks are those of the machine until the run moves them; the name `localhost` is found in
 * DNS with an address of the internet, which leads to this machine: programs refuse to send people's messages anywhere else.
 *
 * Plain JavaScript: npm runs on whatever Node is installed.
 */
import dns from 'node:dns';
import { readFileSync, watchFile } from 'node:fs';
import http from 'node:http';
import net from 'node:net';

/** Of a network that was never assigned: nothing leaves this machine even if the way back to it fails. */
const INTERNET_ADDRESS = '2e00::1';
const CHECK_INTERVAL_MS = 50;

const { HELIOGRAPH_SUPERVISED, HELIOGRAPH_LIVE_CLOCK } = process.env;
if (HELIOGRAPH_SUPERVISED === '1' && HELIOGRAPH_LIVE_CLOCK !== undefined) {
  followClock(HELIOGRAPH_LIVE_CLOCK);
  reachReceivers();
}

/** @param {string} path of a file with the milliseconds by which the clocks of the machine are moved */
function followClock(path) {
  const RealDate = Date;
  const realNow = Date.now.bind(Date);
  const realMonotonic = performance.now.bind(performance);
  let movedMs = 0;
  const read = () => {
    movedMs = Number(readFileSync(path, 'utf8'));
  };
  read();
  watchFile(path, { interval: CHECK_INTERVAL_MS, persistent: false }, read);
  RealDate.now = () => realNow() + movedMs;
  performance.now = () => realMonotonic() + movedMs;
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(RealDate.now()).toString(),
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [RealDate.now()] : given, newTarget),
  });
  // Node fills in the header Date from the clock of the machine.
  const { emit } = http.Server.prototype;
  http.Server.prototype.emit = function (event, ...given) {
    if (event === 'request' && movedMs !== 0)
      given[1].setHeader('date', new RealDate(RealDate.now()).toUTCString());
    return emit.call(this, event, ...given);
  };
}

function reachReceivers() {
  const { Resolver } = dns.promises;
  const { resolve4, resolve6 } = Resolver.prototype;
  Resolver.prototype.resolve4 = function (name, ...given) {
    return name === 'localhost' ? Promise.resolve([]) : resolve4.call(this, name, ...given);
  };
  Resolver.prototype.resolve6 = function (name, ...given) {
    return name === 'localhost' ? Promise.resolve([INTERNET_ADDRESS]) : resolve6.call(this, name, ...given);
  };
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (...given) {
    const [first] = given;
    const options = Array.isArray(first) ? first[0] : first;
    if (typeof options?.lookup === 'function') options.lookup = leadingHere(options.lookup);
    return connect.apply(this, given);
  };
}

/** @param {net.LookupFunction} lookup */
function leadingHere(lookup) {
  const here = (found) => (found.address === INTERNET_ADDRESS ? { address: '127.0.0.1', family: 4 } : found);
  return (name, options, callback) =>
    lookup(name, options, (error, found, family) => {
      if (error) return callback(error, found, family);
      if (Array.isArray(found)) return callback(null, found.map(here));
      const { address, family: its } = here({ address: found, family });
      return callback(null, address, its);
    });
}
