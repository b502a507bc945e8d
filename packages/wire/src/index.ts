export { type ChannelFrame, decodeFrame, encodeFrame, type Framing, framingOf } from './channel-frame.ts';
export {
  DEVICE_PROOF_REPLAY_MS,
  deviceProofDigest,
  signDeviceProof,
  verifyDeviceProof,
} from './device-proof.ts';
export { JwksKeys, type JwksKeysOptions, type KeySource } from './jwks.ts';
export {
  generateSigningKey,
  SIGNATURE_ALGORITHM,
  type SigningKey,
  signingKeyFrom,
  uidOf,
} from './signing-key.ts';
export { deriveSiteKey, siteKeyDigest, siteKeyMatches } from './site-key.ts';
export {
  InvalidToken,
  SITE_TOKEN_LIFETIME_MS,
  type SiteAccess,
  type SiteTokenClaims,
  SiteTokenVerifier,
  signSiteToken,
} from './site-token.ts';
export {
  FORWARDED_FOR_HEADER,
  TUNNEL_PATH,
  TUNNEL_PING_INTERVAL_MS,
  TUNNEL_PING_TIMEOUT_MS,
  TUNNEL_PROTOCOL,
} from './tunnel.ts';
export { signTunnelToken, type TunnelTokenClaims, verifyTunnelToken, WrongProxy } from './tunnel-token.ts';
