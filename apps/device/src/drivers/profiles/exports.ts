/** Of what simulations of hardware that a profile describes are made. */
export { addressesOf } from '../modbus/blocks.ts';
export { recordedRegisters } from '../modbus/recorded-registers.ts';
export {
  type CompiledCondition,
  type CompiledProfile,
  compileProfile,
} from './compiled-profile.ts';
export type { ProfileSetting } from './profile-schema.ts';
export { readProfile } from './read-profile.ts';
export { planUnit } from './unit-plan.ts';
