import { expect, it } from 'vitest';
import { settingPresets } from './setting-presets.ts';

const select = (name: string, ...options: string[]) => ({ name, options, isSwitch: false });
const onOff = (name: string) => ({ name, isSwitch: true });

it('a preset is offered where the unit has each of its settings and options', () => {
  expect(settingPresets([select('Work mode', 'Self-consumption', 'Backup', 'Eco')])).toEqual([
    { preset: 'selfUse', values: [{ name: 'Work mode', value: 'Self-consumption' }] },
    { preset: 'backup', values: [{ name: 'Work mode', value: 'Backup' }] },
  ]);
});

it('self-use turns the timer off and time of use turns it on, where a unit has one beside its mode', () => {
  const presets = settingPresets([select('Work mode', 'Self use', 'Off grid'), onOff('Use timer')]);
  expect(presets).toEqual([
    {
      preset: 'selfUse',
      values: [
        { name: 'Work mode', value: 'Self use' },
        { name: 'Use timer', value: 'false' },
      ],
    },
    {
      preset: 'timeOfUse',
      values: [
        { name: 'Work mode', value: 'Self use' },
        { name: 'Use timer', value: 'true' },
      ],
    },
  ]);
});

it('no preset is offered for modes that are named otherwise', () => {
  expect(settingPresets([select('Work mode', 'Zero export to CT', 'Selling first')])).toEqual([]);
});
