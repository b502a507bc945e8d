import { useState } from 'react';
import { textOn } from '../portal/brand/brand-variables.ts';
import { SchemeSwitch } from '../shared/preferences/scheme-switch.tsx';
import classes from './catalogue.module.css';
import { SECTIONS } from './sections.ts';

/** Widths that pages are looked at in, in pixels; what depends on the window's own needs a narrow window. */
const WIDTHS = ['full', '390', '320'];

interface ToolbarProps {
  readonly width: string;
  readonly onWidth: (width: string) => void;
}

/** The ways around, and how everything is looked at: scheme, width, an organization's colour. */
export function Toolbar({ width, onWidth }: ToolbarProps) {
  const [color, setColor] = useState('#2c5aa0');
  const paint = (next: string): void => {
    setColor(next);
    const { style } = document.documentElement;
    style.setProperty('--hg-primary', next);
    style.setProperty('--hg-on-primary', textOn(next));
  };
  return (
    <header className={classes.toolbar}>
      <nav aria-label="Components">
        {SECTIONS.map(({ name }) => (
          <a key={name} href={`#${name}`}>
            {name}
          </a>
        ))}
      </nav>
      <div className={classes.switches}>
        <SchemeSwitch />
        <label>
          Width{' '}
          <select value={width} onChange={(event) => onWidth(event.currentTarget.value)}>
            {WIDTHS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          Brand <input type="color" value={color} onChange={(event) => paint(event.currentTarget.value)} />
        </label>
      </div>
    </header>
  );
}
