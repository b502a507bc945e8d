import { ApiError, ConnectionError } from '@heliograph/client';
import { Empty } from '../../shared/components/states/empty.tsx';
import { Failure } from '../../shared/components/states/failure.tsx';
import { Loading } from '../../shared/components/states/loading.tsx';
import { Specimen, Specimens } from '../specimen.tsx';

const STATUSES = [401, 403, 404, 422, 429, 500, 503];

export function StatesSection() {
  return (
    <Specimens>
      <Specimen state="on its way">
        <Loading />
      </Specimen>
      <Specimen state="empty">
        <Empty title="There are no sites yet.">Add the first device to see what the sun does.</Empty>
      </Specimen>
      <Specimen state="no answer">
        <Failure
          error={new ConnectionError('http://cloud', 'no answer', undefined)}
          onRetry={() => undefined}
        />
      </Specimen>
      {STATUSES.map((status) => (
        <Specimen key={status} state={`refused with ${status}`}>
          <Failure
            error={new ApiError('http://cloud', status, 'The service says why, in its own words.', {})}
          />
        </Specimen>
      ))}
    </Specimens>
  );
}
