package dev.tidings.jpa;

import dev.tidings.testkit.ApiKeysContract;
import dev.tidings.testkit.ApprovalsContract;
import dev.tidings.testkit.DeletionContract;
import dev.tidings.testkit.DirectoryContract;
import dev.tidings.testkit.EventLogContract;
import dev.tidings.testkit.EventWriterContract;
import dev.tidings.testkit.FeedContract;
import dev.tidings.testkit.GrantsContract;
import dev.tidings.testkit.Ports;
import dev.tidings.testkit.ReceiptsContract;
import dev.tidings.testkit.RunLedgerContract;
import dev.tidings.testkit.RunTreeContract;
import dev.tidings.testkit.SignersContract;
import org.junit.jupiter.api.Nested;

/** Everything that holds on every database and with every provider. */
abstract class JpaPortsSuite {

    abstract Harness harness();

    @Nested
    final class Log extends EventLogContract {
        @Override
        protected Ports ports() {
            return harness();
        }
    }

    @Nested
    final class Writer extends EventWriterContract {
        @Override
        protected Ports ports() {
            return harness();
        }
    }

    @Nested
    final class Trees extends RunTreeContract {
        @Override
        protected Ports ports() {
            return harness();
        }
    }

    @Nested
    final class Rows extends DirectoryContract {
        @Override
        protected Ports ports() {
            return harness();
        }
    }

    @Nested
    final class Access extends GrantsContract {
        @Override
        protected Ports ports() {
            return harness();
        }
    }

    @Nested
    final class Keys extends ApiKeysContract {
        @Override
        protected Ports ports() {
            return harness();
        }
    }

    @Nested
    final class FeedOfAll extends FeedContract {
        @Override
        protected Ports ports() {
            return harness();
        }
    }

    @Nested
    final class Signers extends SignersContract {
        @Override
        protected Ports ports() {
            return harness();
        }
    }

    @Nested
    final class Ledger extends RunLedgerContract {
        @Override
        protected Ports ports() {
            return harness();
        }
    }

    @Nested
    final class Decisions extends ApprovalsContract {
        @Override
        protected Ports ports() {
            return harness();
        }
    }

    @Nested
    final class Answers extends ReceiptsContract {
        @Override
        protected Ports ports() {
            return harness();
        }
    }

    @Nested
    final class Deletions extends DeletionContract {
        @Override
        protected Ports ports() {
            return harness();
        }
    }

    @Nested
    final class Stalls extends StallTests {
        @Override
        Harness harness() {
            return JpaPortsSuite.this.harness();
        }
    }

    @Nested
    final class Statements extends StatementTests {
        @Override
        Harness harness() {
            return JpaPortsSuite.this.harness();
        }
    }
}
