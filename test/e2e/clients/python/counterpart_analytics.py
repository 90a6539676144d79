"""Feedback and analytics by the counterpart's client."""

import datetime
import unittest

from counterpart import admin, chat, client, soon

GRAPHS = [
    "requests",
    "cost",
    "latency",
    "tokens",
    "users",
    "users_requests",
    "errors",
    "errors_rate",
    "errors_stacks",
    "errors_status_codes",
    "requests_rescued",
    "cache_hit_rate",
    "cache_latency",
    "feedbacks",
    "feedbacks_scores",
    "feedbacks_weighted",
    "feedbacks_ai_models",
]


def window():
    now = datetime.datetime.now(datetime.timezone.utc)
    day = datetime.timedelta(days=1)
    return {
        "time_of_generation_min": (now - day).isoformat(timespec="seconds"),
        "time_of_generation_max": (now + day).isoformat(timespec="seconds"),
    }


class AnalyticsTests(unittest.TestCase):
    def test_gives_feedback_and_changes_it(self):
        feedback = client().feedback
        made = feedback.create(trace_id="python", value=5, weight=0.5, metadata={"by": "a test"})
        self.assertEqual(made.status, "success")
        changed = feedback.update(feedback_id=made.feedback_ids[0], value=-5)
        self.assertEqual(changed.feedback_ids, made.feedback_ids)
        several = feedback.bulk_create(feedbacks=[{"trace_id": "python", "value": 1}, {"trace_id": "other", "value": 2}])
        self.assertEqual(len(set(several.feedback_ids)), 2)
        scores = soon(
            lambda: client().analytics.graphs.feedbacks_scores(**window()),
            lambda found: {"score": -5, "total": 1} in found.data_points,
        )
        self.assertNotIn({"score": 5, "total": 1}, scores.data_points)

    def test_reads_graphs(self):
        chat(provider="mock")
        graphs = client().analytics.graphs
        soon(lambda: graphs.requests(**window()), lambda found: found.summary["total"] > 0)
        for name in GRAPHS:
            found = getattr(graphs, name)(**window(), status_code="200", cost_min=0)
            self.assertEqual((name, found.object), (name, "analytics-graph"))

    def test_reads_groups(self):
        groups = admin().analytics.groups
        for found in [
            groups.users(**window()),
            groups.ai_models(**window()),
            groups.workspaces(**window()),
            groups.metadata(metadata_key="team", **window()),
            groups.group_by(group_by="model", columns="requests,cost", include_total=True, **window()),
        ]:
            self.assertEqual(found.object, "list")
        self.assertEqual(admin().analytics.summary.cache(**window()).object, "analytics-summary")
