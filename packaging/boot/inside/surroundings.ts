import { expectMatch, shell, until } from './shell.ts';

/** The inverter of docs/install.md. */
const INVERTER = '192.168.1.20';

const CA = '/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt';

/** Variables with which programs trust Caddy's own certificate authority, which stands for a public one. */
export const TRUST = 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/example-ca.pem';

/** A simulated inverter at its address in the home network, and the names of the guide at this machine. */
export async function prepareSurroundings(): Promise<void> {
  await shell(`
ip address add ${INVERTER}/32 dev lo
grep -q example /etc/hosts || echo '127.0.0.1 cloud.example.org eu-1.example.org' >>/etc/hosts
systemd-run --quiet --unit plant --setenv=PLANT_HOST=${INVERTER} --setenv=PLANT_PORT=502 \\
  ${process.execPath} /checkout/dev/src/plant/main.ts`);
  await until(async () => expectMatch(await shell(`ss -Hltn src ${INVERTER}`), /:502/));
}

/** No certificate authority is reached from here: Caddy's own makes the certificates. */
export function withOwnAuthority(script: string): string {
  return script.replace(
    "cat >/etc/caddy/Caddyfile <<'END'\n",
    '$&{\n\tlocal_certs\n\tskip_install_trust\n}\n',
  );
}

/** Puts the authority's certificate where the parts read it. */
export async function trustOwnAuthority(environmentFile: string): Promise<void> {
  await until(() => shell(`install -m 644 ${CA} /etc/ssl/certs/example-ca.pem`));
  await shell(`echo '${TRUST}' >>${environmentFile}`);
}

/** A mail server that `/etc/hosts` alone names, at a port without TLS. Its log has the mails. */
export async function startMailServer(): Promise<string> {
  const program = `const { SMTPServer } = require('/checkout/node_modules/smtp-server');
new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'],
  onData(mail, _, done) { mail.on('data', (bytes) => process.stdout.write(bytes)).on('end', done); } }).listen(2525, '127.0.0.1');`;
  await shell(`echo '127.0.0.1 mail.example.org' >>/etc/hosts
cat >/root/mail-server.cjs <<'END'
${program}
END
systemd-run --quiet --unit mail ${process.execPath} /root/mail-server.cjs`);
  return 'smtp://mail.example.org:2525';
}
