/** Ways to use a battery that people know by name. */
export const SETTING_PRESETS = ['selfUse', 'backup', 'timeOfUse'] as const;
export type SettingPreset = (typeof SETTING_PRESETS)[number];

/** A setting as presets see it. */
export interface PresetSetting {
  readonly name: string;
  /** Of a select. */
  readonly options?: readonly string[] | null | undefined;
  readonly isSwitch: boolean;
}

export interface PresetValue {
  readonly name: string;
  readonly value: string;
}

const ON = 'true';
const OFF = 'false';

/**
 * The values of each preset; a unit takes the first set of which it has all settings. Values are options of the drivers
 * with the meaning that makers give them: GoodWe, Huawei, Solis, Sofar and Sungrow name their modes so, Deye and Solis
 * have one switch for their time points, and the priority of Voltronic, Growatt SPF and SRNE lists its sources in order.
 */
const SETS: Readonly<Record<SettingPreset, readonly (readonly PresetValue[])[]>> = {
  selfUse: [
    [
      { name: 'Work mode', value: 'Self use' },
      { name: 'Use timer', value: OFF },
    ],
    [{ name: 'Work mode', value: 'Self use' }],
    [{ name: 'Work mode', value: 'Self-consumption' }],
    [{ name: 'Output source priority', value: 'SBU' }],
    [{ name: 'Output source priority', value: 'SBU, battery first' }],
    [{ name: 'Storage control mode', value: 'Automatic' }],
  ],
  backup: [
    [{ name: 'Work mode', value: 'Backup' }],
    [{ name: 'Output source priority', value: 'Utility first' }],
  ],
  timeOfUse: [
    [{ name: 'Work mode', value: 'Time of use' }],
    [
      { name: 'Work mode', value: 'Self use' },
      { name: 'Use timer', value: ON },
    ],
    [{ name: 'Use timer', value: ON }],
  ],
};

/** The presets that a unit with these settings can take, and what each sets. */
export function settingPresets(
  settings: readonly PresetSetting[],
): readonly { readonly preset: SettingPreset; readonly values: readonly PresetValue[] }[] {
  const takes = ({ name, value }: PresetValue): boolean =>
    settings.some(
      (one) =>
        one.name === name &&
        (one.isSwitch ? value === ON || value === OFF : (one.options?.includes(value) ?? false)),
    );
  return SETTING_PRESETS.flatMap((preset) => {
    const values = SETS[preset].find((set) => set.every(takes));
    return values === undefined ? [] : [{ preset, values }];
  });
}
