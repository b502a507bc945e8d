export {
  ANY_TOKEN,
  type Answer,
  type CloudRequirement,
  type DeviceRequirement,
  type Input,
  NoContent,
  type Operation,
  type OtherContent,
  type Refusal,
  type Requirement,
  refusalsOf,
} from './operations/operation.ts';
export * from './schemas/all.ts';
