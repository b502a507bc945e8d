/** A machine that packages run on: Linux with the GNU C library, on a processor that Node is built for. */
export interface Platform {
  /** As Debian names it. */
  readonly architecture: 'amd64' | 'arm64';
  /** As Node and npm name it. */
  readonly cpu: 'x64' | 'arm64';
}

export const PLATFORMS: readonly Platform[] = [
  { architecture: 'amd64', cpu: 'x64' },
  { architecture: 'arm64', cpu: 'arm64' },
];
