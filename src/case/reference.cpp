#include <cctype>
#include <set>
#include <sstream>

#include "case/description.hpp"
#include "case/parts.hpp"
#include "core/text.hpp"

namespace knudsen {

namespace {

std::string code(const std::string& text) { return '`' + text + '`'; }

/// "`boundaries.west/east` (`method` bgkw, `type` wall)"
std::string heading_of(const PartPath& path) {
  std::vector<std::string> keys, kinds;
  for (const PartStep& step : path) {
    const std::string names = join(step.names, "/");
    if (step.chooser.empty()) {
      keys.push_back(names);
    } else {
      kinds.push_back(code(step.chooser) + ' ' + names);
    }
  }
  return (keys.empty() ? "Top level" : code(join(keys, "."))) +
         (kinds.empty() ? "" : " (" + join(kinds, ", ") + ')');
}

/// The anchor that Markdown viewers derive from a heading.
std::string anchor_of(const std::string& heading) {
  std::string name;
  for (const char letter : heading) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) != 0 || letter == '-' || letter == '_') {
      name += static_cast<char>(std::tolower(byte));
    } else if (letter == ' ') {
      name += '-';
    }
  }
  return name;
}

std::string table_cell(const std::string& text) {
  std::string cell;
  for (const char letter : text) {
    if (letter == '|') cell += '\\';
    cell += letter == '\n' ? ' ' : letter;
  }
  return cell;
}

std::string default_cell(const KeyDescription& key) {
  if (key.required) return "required";
  return key.fallback.is_null() ? "" : code(table_cell(key.fallback.dump()));
}

/// Writes a section for each part of a case.
class PageWriter {
 public:
  PageWriter(std::ostream& page, const ObjectDescription& whole) : page_(page), parts_(whole) {}

  void write_section(const std::string& heading, const std::string& introduction,
                     const ObjectDescription& description) {
    page_ << "\n## " << heading << '\n' << introduction;
    if (!description.keys.empty()) {
      page_ << "\n| Key | Must be | Default | Meaning |\n|---|---|---|---|\n";
    }
    for (const KeyDescription& key : description.keys) {
      page_ << "| " << code(key.name) << " | " << value_cell(key) << " | " << default_cell(key)
            << " | " << table_cell(key.documentation) << " |\n";
    }
    for (const PartReference& each : part_references(description)) {
      const Part& part = parts_.of(*each.description);
      if (written_.insert(&part).second) write_part(part);
    }
  }

 private:
  void write_part(const Part& part) {
    std::vector<std::string> headings;
    for (const PartPath& path : merged(part.places)) headings.push_back(heading_of(path));
    // Where the places have texts of their own, they are in the tables that refer to the section.
    std::string introduction = part.same_documentation ? '\n' + part.documentation + '\n' : "";
    if (headings.size() > 1) {
      introduction +=
          "\nThe same for " + join({headings.begin() + 1, headings.end()}, ", ") + ".\n";
    }
    write_section(headings.front(), introduction, *part.description);
  }

  std::string value_cell(const KeyDescription& key) const {
    if (!key.members) return table_cell(key.type.text);
    const PartPath first_places = merged(parts_.of(*key.members).places).front();
    const std::string text = key.is_list() ? "a list of objects" : key.type.text;
    return '[' + table_cell(text) + "](#" + anchor_of(heading_of(first_places)) + ')';
  }

  std::ostream& page_;
  Parts parts_;
  std::set<const Part*> written_;
};

}  // namespace

std::string describe_markdown(const CaseNode::Reader& read, const std::string& title) {
  const ObjectDescription whole = describe(whole_case(read));
  std::ostringstream page;
  page << "# " << title << '\n';
  PageWriter(page, whole)
      .write_section("Top level",
                     "\nEvery key is optional unless its default says \"required\". A heading "
                     "with `a/b` holds for both.\n",
                     whole);
  return page.str();
}

}  // namespace knudsen
