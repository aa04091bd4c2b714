"""The report: one HTML page about one network."""

from exactrelu.view.report.report import Report, report

__all__ = ["Report", "report"]
