/** Settings of every cluster of ours, small enough for a Raspberry Pi. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // A socket's path may have about 100 bytes, so a socket in the data folder would limit where that may lie.
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '32MB',
  max_wal_size: '128MB',
  // Asynchronous reads by extra processes gain nothing on a small database.
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  password_encryption: 'scram-sha-256',
};

/** Settings that make a throw-away cluster fast: it never waits for the disk, so a power cut may corrupt it. */
const THROW_AWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

/** The arguments of `postgres` for one of our clusters. */
export function serverArguments(options: { cluster: string; port: number; durable: boolean }): string[] {
  const settings = { ...SETTINGS, port: String(options.port), ...(options.durable ? {} : THROW_AWAY) };
  return [
    '-D',
    options.cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}
