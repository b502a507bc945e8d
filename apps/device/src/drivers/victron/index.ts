export { victron as family } from './family.ts';
export {
  COMMAND,
  encodeHex,
  type HexFrame,
  hexEnd,
  parseHex,
  registerAnswer,
  registerFrame,
} from './hex-frame.ts';
export { encodeBlock, type VeDirectFields } from './text-block.ts';
