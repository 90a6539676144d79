"""The checks of scim2-tester: what RFC 7643 and 7644 ask of a service, as it describes itself."""

import os
import unittest

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

# Of the fewest checks that mean anything: each attribute of users and groups is added, replaced and removed.
FEWEST = 60


class ScimTests(unittest.TestCase):
    def test_passes_every_check_of_the_list(self):
        headers = {"Authorization": "Bearer " + os.environ["WEIR_ADMIN_KEY"]}
        with Client(base_url=os.environ["WEIR_URL"] + "/scim/v2", headers=headers, timeout=30) as http:
            results = check_server(SyncSCIMClient(http))
        failed = [
            f"{result.status.name} {result.title} of {result.resource_type}: {result.reason}"
            for result in results
            if result.status is not Status.SUCCESS
        ]
        self.assertEqual(failed, [])
        self.assertGreater(len(results), FEWEST)
