import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const certPath = join(import.meta.dirname, 'fixtures/test-only-cert.pem');
const keyPath = join(import.meta.dirname, 'fixtures/test-only-key.pem');

/**
 * A certificate for 127.0.0.1 and localhost that signed itself, PEM. Its key is public: it protects nothing
 * but tests. It was made with
 *
 *     openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 \
 *       -subj "/CN=heliograph test only" -addext "subjectAltName=IP:127.0.0.1,DNS:localhost" \
 *       -keyout test-only-key.pem -out test-only-cert.pem
 */
export const TEST_TLS = { certPath, keyPath, cert: readFileSync(certPath), key: readFileSync(keyPath) };
