export { type ComplaintKind, complaintKindOf, complaintsIn } from './complaints.ts';
export { DEFAULT_STREAM_TOPICS } from './default-topics.ts';
export { compileGlob, MAX_GLOB_LENGTH } from './glob.ts';
export { METER_ROLES, type MeterRole } from './meter-role.ts';
export {
  defineMetric,
  type Group,
  type MetricDefinition,
  type MetricValue,
  type Platform,
  platformOf,
  type Quantity,
  roundTo,
  type SettingRule,
  type Unit,
} from './metric.ts';
export * as quantities from './quantities.ts';
export {
  type DefinitionRow,
  type DiscoveryFields,
  definitionRow,
  discoveryFields,
  type MetricRow,
} from './row.ts';
export {
  SETTING_GROUPS,
  type SettingGroup,
  type SettingSlot,
  settingGroupOf,
  settingSlots,
} from './setting-groups.ts';
export {
  type Device,
  isUnitKind,
  topicOf,
  topicPrefix,
  UNIT_KINDS,
  UNIT_NAMES,
  type UnitKind,
  type UnitName,
  unitTitle,
} from './topic.ts';
