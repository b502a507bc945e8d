import { useState } from 'react';
import { useConfiguration } from '../configuration/configuration-query.ts';
import { SettingsForm } from '../configuration/saving/settings-form.tsx';
import { TimeZoneField } from '../configuration/time/time-zone-field.tsx';

/** Asks for the time zone alone: by it days and weeks of energy are counted. */
export function TimeStep({ onDone }: { readonly onDone: () => void }) {
  const { time_zone: configured, machine_time_zone: machineZone } = useConfiguration();
  const [zone, setZone] = useState(configured);
  return (
    <SettingsForm change={() => ({ time_zone: zone })} onInEffect={onDone}>
      {(fields) => (
        <TimeZoneField value={zone} machineZone={machineZone} error={fields.time_zone} onChange={setZone} />
      )}
    </SettingsForm>
  );
}
