import { configureGlobal } from 'fast-check';

/**
 * The seed of all property tests, so that a run is like the one before. `PROPERTY_SEED=$RANDOM npm run test:outside`
 * tries other values.
 */
const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_128);

configureGlobal({ seed });
