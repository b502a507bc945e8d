import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import classes from '../../shared/frame/navigation.module.css';
import { NavigationEntry, NavigationIcon } from '../../shared/frame/navigation-entry.tsx';
import { useDeviceSession } from '../session/session.ts';

/** Line drawings of the navigation; each has a label beside it. */
const HOME = <path d="M4 11.5 12 5l8 6.5M6.5 10v9h11v-9" />;

const BARS = <path d="M5 20v-7M12 20V5M19 20v-10" />;

const CURVE = <path d="M4 4v16h16M7 15l3.5-5 3.5 3 5-7" />;

const SLIDERS = (
  <path d="M4 7h9M17 7h3M4 17h3M11 17h9M15 7m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0M9 17m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0" />
);

const LINK = <path d="M9.5 14.5l5-5M8 12l-2 2a3.5 3.5 0 0 0 5 5l2-2M16 12l2-2a3.5 3.5 0 0 0-5-5l-2 2" />;

const LIST = <path d="M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01" />;

const WRENCH = (
  <path d="M14.5 6.5a4 4 0 0 1 5-1l-2.7 2.7 1 1 2.7-2.7a4 4 0 0 1-5.4 5L7.5 19a2 2 0 0 1-2.8-2.8l7.7-7.6a4 4 0 0 1 2.1-2.1z" />
);

/** At the head of wide pages; at the foot of narrow ones, where thumbs are, with the rarer pages behind "More". */
export function Navigation() {
  const { t } = useTranslation('device');
  const { may_write: mayWrite, may_configure: mayConfigure } = useDeviceSession();
  return (
    <nav className={classes.navigation} aria-label={t('frame.navigation')}>
      <Entry icon={HOME} text={t('frame.overview')} href="/" also={['/totals', '/power']} />
      <Entry icon={BARS} text={t('frame.energy')} href="/energy" />
      <Entry icon={CURVE} text={t('frame.history')} href="/history" />
      <Entry icon={SLIDERS} text={t('frame.settings')} href="/settings" also={['/inverter/settings']} />
      {mayWrite && (
        <More>
          {mayConfigure && <Entry icon={LINK} text={t('frame.links')} href="/links" />}
          <Entry icon={LIST} text={t('frame.log')} href="/log" />
          {mayConfigure && (
            <Entry
              icon={WRENCH}
              text={t('frame.configuration')}
              href="/configuration"
              also={['/configuration/', '/probe', '/claim']}
            />
          )}
        </More>
      )}
    </nav>
  );
}

const DOTS = <path d="M6 12h.01M12 12h.01M18 12h.01" strokeWidth="3" />;

interface EntryProps {
  readonly icon: ReactNode;
  readonly text: string;
  readonly href: string;
  /** Other paths that belong to it; those that end with a slash stand for all below. */
  readonly also?: readonly string[];
}

function Entry({ icon, text, href, also = [] }: EntryProps) {
  const [path] = useLocation();
  const isHere =
    path === href || also.some((other) => (other.endsWith('/') ? path.startsWith(other) : path === other));
  return <NavigationEntry icon={icon} text={text} href={href} isHere={isHere} />;
}

function More({ children }: { children: ReactNode }) {
  const { t } = useTranslation('device');
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles the Escape of the links inside
    <div
      className={classes.more}
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return;
        setOpen(false);
        button.current?.focus();
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={button}
        type="button"
        className={classes.moreButton}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <NavigationIcon>{DOTS}</NavigationIcon>
        <span>{t('frame.more')}</span>
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: it handles the clicks of links */}
      <div id={id} className={classes.rest} data-open={isOpen} onClick={() => setOpen(false)}>
        {children}
      </div>
    </div>
  );
}
