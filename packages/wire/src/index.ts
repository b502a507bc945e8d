export {
  type ChannelFrame,
  decodeFrame,
  encodeFrame,
  type Framing,
  framingOf,
  framingOfFrame,
} from './channel-frame.ts';
export {
  DEVICE_PROOF_REPLAY_MS,
  deviceProofDigest,
  ProofOfOtherTime,
  signDeviceProof,
  verifyDeviceProof,
} from './device-proof.ts';
export { InvalidToken } from './invalid-token.ts';
export { JwksKeys, type JwksKeysOptions, type KeySource } from './jwks.ts';
export { regionDomainOf } from './region-domain.ts';
export { type RelayTokenClaims, signRelayToken, verifyRelayToken } from './relay-token.ts';
export { isRevocationSignal, type RevokedSubject, revocationSignal } from './revocation-signal.ts';
export {
  generateSigningKey,
  SIGNATURE_ALGORITHM,
  type SigningKey,
  signingKeyFrom,
  uidOf,
} from './signing-key.ts';
export { deriveSiteKey, siteKeyDigest, siteKeyMatches } from './site-key.ts';
export {
  RECOVERY_ACCESS,
  type RecoveryAccess,
  type RecoveryClaim,
  recoverySubject,
  revocationSubjects,
  SITE_TOKEN_LIFETIME_MS,
  type SiteAccess,
  type SiteTokenClaims,
  SiteTokenExpired,
  type SiteTokenGrant,
  SiteTokenVerifier,
  signSiteToken,
} from './site-token.ts';
export {
  FORWARDED_FOR_HEADER,
  HTTP2_RELAY_PROTOCOL,
  HTTP2_TUNNEL_PROTOCOL,
  RELAY_PATH,
  RELAY_PROTOCOL,
  TUNNEL_MOVE_SIGNAL,
  TUNNEL_PATH,
  TUNNEL_PING_INTERVAL_MS,
  TUNNEL_PING_TIMEOUT_MS,
  TUNNEL_PROTOCOL,
  TUNNEL_UP_SIGNAL,
} from './tunnel.ts';
export {
  signTunnelToken,
  TUNNEL_TOKEN_LIFETIME_S,
  type TunnelTicket,
  type TunnelTokenClaims,
  verifyTunnelToken,
  WrongProxy,
} from './tunnel-token.ts';
