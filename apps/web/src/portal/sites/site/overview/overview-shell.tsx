import { useTranslation } from 'react-i18next';
import { FlowPlaceholder } from '../../../../shared/components/flow/flow-placeholder.tsx';
import title from '../../../../shared/components/title/page-title.module.css';
import { EnergyPlaceholder } from '../../../../shared/energy/energy-placeholder.tsx';
import { PageShell } from '../../../../shared/shell/framed-shell.tsx';
import { UnitsPlaceholder } from '../../../../shared/units/units-placeholder.tsx';
import tabLinks from '../../../ui/tabs/tab-links.module.css';
import back from '../back-to-sites.module.css';
import site from '../site-frame.module.css';
import { TAB_SOURCES } from '../tab-table.ts';
import tab from './live-tab.module.css';

/** The overview of a site until its scripts have loaded; its name comes with the data. */
export function OverviewShell() {
  const { t } = useTranslation('sites');
  const tabs = TAB_SOURCES.slice(
    0,
    TAB_SOURCES.findIndex(({ part }) => part === '/support'),
  ).flatMap(({ name }) => (name === undefined ? [] : [t(name)]));
  return (
    <PageShell>
      <div className={site.site}>
        <div>
          <div>
            <span className={back.link}>
              <span aria-hidden="true">←</span>
              {t('list.title')}
            </span>
          </div>
          <div className={`${site.head} ${title.title}`}>
            <span data-field="name">&nbsp;</span>
          </div>
          <p className={site.description} data-field="description" hidden />
        </div>
        <div className={tabLinks.tabs}>
          {tabs.map((label, at) => (
            <span key={label} className={tabLinks.tab} aria-current={at === 0 ? 'page' : undefined}>
              {label}
            </span>
          ))}
        </div>
        <div className={tab.tab}>
          <div className={tab.picture}>
            <div className={tab.surface}>
              <FlowPlaceholder />
            </div>
            <EnergyPlaceholder />
          </div>
          <UnitsPlaceholder />
        </div>
      </div>
    </PageShell>
  );
}
