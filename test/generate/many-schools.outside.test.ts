import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { startProgram } from '../support/command.ts';

describe('a server with more schools than anybody wants to read', () => {
  it('names ten of them, and says that there are more', async () => {
    const seed = 'generated:schools=40,users=0,products=0,quizzes=0,videos=0,labs=0,permission-presets=0';
    const program = await startProgram(['--port', '0', '--seed', seed]);
    try {
      expect(program.banner.match(/sbx_default_\S+\n/g)).toHaveLength(10);
      expect(program.banner).toContain(`and 30 more schools, at ${program.url}/console`);
      const page = await supertest(program.url).get('/').set('Accept', 'text/html');
      expect(page.text.match(/Key of /g)).toHaveLength(10);
      expect(page.text).toContain('shows the keys of the other schools');
      const refused = await supertest(program.url).post('/public/get-all-instructors').send({ data: [] });
      expect(refused.text).toMatch(
        /where <school> is riverside or hillcrest( or [a-z0-9-]+){8} or another one of the sandbox\./,
      );
    } finally {
      await program.stop('SIGTERM');
    }
  });
});
