import { LiveTile, ValueTile } from '../../shared/components/tile/value-tile.tsx';
import { DemoSite } from '../demo-site.tsx';
import { staleValues, totalDefinitions, totalValues } from '../samples.ts';
import { Specimen, Specimens } from '../specimen.tsx';

export function TileSection() {
  return (
    <Specimens>
      <Specimen state="power">
        <ValueTile label="Solar" value={3_420} unit="W" tone="solar" />
      </Specimen>
      <Specimen state="negative, with a hint">
        <ValueTile label="Grid" value={-640} unit="W" tone="grid" hint="Negative goes to the grid." />
      </Specimen>
      <Specimen state="unknown">
        <ValueTile label="House load" value={null} unit="W" tone="load" />
      </Specimen>
      <Specimen state="old">
        <ValueTile label="State of charge" value={64} unit="%" tone="battery" isStale />
      </Specimen>
      <Specimen state="huge">
        <ValueTile label="Lifetime" value={123_456_789.1} unit="kWh" />
      </Specimen>
      <Specimen state="flag">
        <ValueTile label="Grid charge" value={true} unit="Enabled" />
      </Specimen>
      <Specimen state="text, long">
        <ValueTile
          label="A name that goes on and on, as those of manufacturers do"
          value="Waiting for the grid to become stable again"
        />
      </Specimen>
      <Specimen state="live">
        <DemoSite definitions={totalDefinitions} values={totalValues}>
          <LiveTile topic="total/battery_state_of_charge" label="State of charge" />
        </DemoSite>
      </Specimen>
      <Specimen state="live: nothing is read any more">
        <DemoSite definitions={totalDefinitions} values={staleValues}>
          <LiveTile topic="total/pv_power" label="Solar" />
        </DemoSite>
      </Specimen>
      <Specimen state="live: connection lost">
        <DemoSite state="reconnecting" definitions={totalDefinitions} values={totalValues}>
          <LiveTile topic="total/pv_power" label="Solar" />
        </DemoSite>
      </Specimen>
    </Specimens>
  );
}
