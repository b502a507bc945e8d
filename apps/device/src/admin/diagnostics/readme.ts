/** The README of a bundle. */
export const README = `Diagnostic bundle of a Heliograph device

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
