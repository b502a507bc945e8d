import { useState } from 'react';
import { ErrorBoundary } from '../shared/components/states/error-boundary.tsx';
import classes from './catalogue.module.css';
import { SECTIONS } from './sections.ts';
import { Toolbar } from './toolbar.tsx';

/** Every component that the portal and the device's pages share, in all of its states. For developers. */
export function Catalogue() {
  const [width, setWidth] = useState<string>('full');
  return (
    <>
      <Toolbar width={width} onWidth={setWidth} />
      <main className={classes.main} data-width={width}>
        <h1>Components</h1>
        {SECTIONS.map(({ name, about, Section }) => (
          <section key={name} id={name} className={classes.section} aria-labelledby={`${name}-title`}>
            <h2 id={`${name}-title`}>{name}</h2>
            <p className={classes.about}>{about}</p>
            <ErrorBoundary>
              <Section />
            </ErrorBoundary>
          </section>
        ))}
      </main>
    </>
  );
}
