import { useTranslation } from 'react-i18next';
import { Placeholder } from '../../../shared/components/states/placeholder.tsx';
import { PageTitle } from '../../../shared/components/title/page-title.tsx';
import { PageShell } from '../../../shared/shell/framed-shell.tsx';
import card from './site-card.module.css';
import page from './sites-page.module.css';

/** The list of sites until its scripts have loaded, with a template of its cards. */
export function SitesShell() {
  const { t } = useTranslation('sites');
  return (
    <PageShell>
      <div className={page.page}>
        <div className={page.head}>
          <PageTitle text={t('list.title')} />
        </div>
        <Placeholder className={page.awaitedTools} />
        <ul className={page.list}>
          <template>
            <li>
              <article className={card.card}>
                <div className={card.head}>
                  <h2 className={card.name} data-field="name">
                    {' '}
                  </h2>
                </div>
                <p className={card.description} data-field="description" />
                <p className={card.hardware} data-field="hardware" />
                <p className={card.none} />
              </article>
            </li>
          </template>
        </ul>
      </div>
    </PageShell>
  );
}
