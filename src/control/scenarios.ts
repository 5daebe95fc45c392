import type { components } from '../contract/generated/control.ts';
import { readScenario, scenarioNames } from '../store/read-scenario.ts';

/** Returns the scenarios of the package. */
export async function listScenarios(): Promise<components['schemas']['ScenarioList']> {
  const scenarios = await Promise.all(scenarioNames().map((name) => readScenario(name)));
  return {
    scenarios: scenarios.map(({ name, summary, lesson }) => ({
      name,
      summary,
      ...(lesson === undefined ? {} : { lesson }),
    })),
  };
}
