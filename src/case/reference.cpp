#include <cctype>
#include <sstream>

#include "case/description.hpp"
#include "core/text.hpp"

namespace knudsen {

namespace {

std::string code(const std::string& text) { return '`' + text + '`'; }

/// An object of the case: its path, and its own kind and those of the objects that enclose it.
struct Section {
  std::string path;
  std::vector<std::string> kinds;

  std::string heading() const {
    const std::string name = path.empty() ? "Top level" : code(path);
    return name + (kinds.empty() ? "" : " (" + join(kinds, ", ") + ')');
  }
  /// The anchor that Markdown viewers derive from the heading.
  std::string anchor() const {
    std::string name;
    for (const char letter : heading()) {
      const auto byte = static_cast<unsigned char>(letter);
      if (std::isalnum(byte) != 0 || letter == '-' || letter == '_') {
        name += static_cast<char>(std::tolower(byte));
      } else if (letter == ' ') {
        name += '-';
      }
    }
    return name;
  }
  Section member(const KeyDescription& key) const {
    const char* suffix = key.is_list() ? "[]" : "";
    return {(path.empty() ? "" : path + '.') + key.name + suffix, kinds};
  }
  Section kind(const std::string& key, const std::string& name) const {
    Section section = *this;
    section.kinds.push_back(code(key) + ' ' + name);
    return section;
  }
};

std::string table_cell(const std::string& text) {
  std::string cell;
  for (const char letter : text) {
    if (letter == '|') cell += '\\';
    cell += letter == '\n' ? ' ' : letter;
  }
  return cell;
}

std::string value_cell(const Section& section, const KeyDescription& key) {
  if (!key.members) return table_cell(key.type.text);
  const Section members = section.member(key);
  const std::string link = ": [" + members.heading() + "](#" + members.anchor() + ')';
  return (key.is_list() ? "a list of objects" : table_cell(key.type.text)) + link;
}

std::string default_cell(const KeyDescription& key) {
  if (key.required) return "required";
  return key.fallback.is_null() ? "" : code(table_cell(key.fallback.dump()));
}

void write_section(std::ostream& page, const Section& section, const std::string& documentation,
                   const ObjectDescription& description) {
  page << "\n## " << section.heading() << "\n\n" << documentation << '\n';
  if (!description.keys.empty()) {
    page << "\n| Key | Must be | Default | Meaning |\n|---|---|---|---|\n";
  }
  for (const KeyDescription& key : description.keys) {
    page << "| " << code(key.name) << " | " << value_cell(section, key) << " | "
         << default_cell(key) << " | " << table_cell(key.documentation) << " |\n";
  }
  for (const KeyDescription& key : description.keys) {
    if (key.members) write_section(page, section.member(key), key.documentation, *key.members);
  }
  for (const KindsDescription& kinds : description.kinds) {
    for (const KindDescription& kind : kinds.kinds) {
      write_section(page, section.kind(kinds.key, kind.name), kind.documentation, *kind.members);
    }
  }
}

}  // namespace

std::string describe_markdown(const CaseNode::Reader& read, const std::string& title) {
  std::ostringstream page;
  page << "# " << title << '\n';
  write_section(page, {}, "Every key is optional unless its default says \"required\".",
                describe(whole_case(read)));
  return page.str();
}

}  // namespace knudsen
