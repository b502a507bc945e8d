/**
 * Refuses machines that Heliograph does not run on, on whatever Node started npm, hence plain JavaScript: Node 24 and the native
 * code are built for 64 bits and the GNU C library alone.
 */
const SUPPORTED = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];

function refusal() {
  const { platform, arch } = process;
  if (['arm', 'ia32'].includes(arch))
    return `This system has 32 bits (${arch}), and Heliograph needs 64: install the 64-bit edition of it, such as Raspberry Pi OS (64-bit).`;
  if (!SUPPORTED.includes(`${platform}-${arch}`))
    return `Heliograph is not built for ${platform} on ${arch}, but for ${SUPPORTED.join(', ')}.`;
  // Node reports the version of the GNU C library where it was built for it.
  if (platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined)
    return 'Heliograph needs the GNU C library, and this system has another one, such as musl of Alpine: use Debian, Ubuntu or their like.';
  return undefined;
}

const reason = refusal();
if (reason !== undefined) {
  console.error(reason);
  process.exit(1);
}
